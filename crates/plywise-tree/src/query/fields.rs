//! What can be asked of a node.

use crate::names::{BOUNDS, ENDS, EXTENSIONS, KINDS, PHASES, PURPOSES, REASONS};
use crate::node::{LEAVERS, Node};
use plywise_game::Score;
use plywise_search::Technique;

/// A value in a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Truth(bool),
    Word(&'static str),
    Text(String),
    /// The node does not have it. Nothing but `none` is equal to it.
    Missing,
}

impl Value {
    pub(super) fn is_true(&self) -> bool {
        *self == Value::Truth(true)
    }

    fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Number(number) if number.fract() == 0.0 => (*number as i64).into(),
            Value::Number(number) => (*number).into(),
            Value::Truth(truth) => (*truth).into(),
            Value::Word("none") | Value::Missing => serde_json::Value::Null,
            Value::Word(word) => (*word).into(),
            Value::Text(text) => text.as_str().into(),
        }
    }

    fn score(score: Option<Score>) -> Value {
        score.map_or(Value::Missing, |score| Value::Number(score.into()))
    }
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    Truth,
    Word,
}

macro_rules! fields {
    ($($variant:ident = $name:literal, $sort:ident, $what:literal;)*) => {
        /// A field of a node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field { $($variant,)* }

        /// The names of all fields, and what they are.
        pub const FIELDS: &[(&str, &str)] = &[$(($name, $what),)*];

        impl Field {
            pub(crate) fn named(name: &str) -> Option<Field> {
                match name { $($name => Some(Field::$variant),)* _ => None }
            }

            pub(crate) fn name(self) -> &'static str {
                match self { $(Field::$variant => $name,)* }
            }

            pub(crate) fn sort(self) -> Sort {
                match self { $(Field::$variant => Sort::$sort,)* }
            }
        }
    };
}

fields! {
    Kind = "kind", Word, "pv, cut, all or quiescence: what the node was expected to be";
    Purpose = "purpose", Word, "what it was searched for: root, move, full_price, open_window, null_move, …";
    End = "end", Word, "why it was left: moves, stand_pat, evaluated, draw, over, stopped, or a technique";
    CutBy = "cut_by", Word, "the technique that cut it; none where none did";
    Bound = "bound", Word, "exact, lower or upper";
    Phase = "phase", Word, "the part of the order that its move comes from: table, tactical, killer, history, …";
    ExtensionClass = "class", Word, "the class by which its move was priced: check, recapture, …; none";
    Ply = "ply", Number, "plies from the root";
    Depth = "depth", Number, "plies left, with hundredths";
    Alpha = "alpha", Number, "the lower bound of its window on entry";
    Beta = "beta", Number, "the upper bound";
    Narrowed = "narrowed", Truth, "whether mate distance or the table narrowed its window";
    NarrowAlpha = "narrow_alpha", Number, "the lower bound after that; alpha where nothing did";
    NarrowBeta = "narrow_beta", Number, "the upper bound after that; beta where nothing did";
    Value = "value", Number, "its value for the side to move";
    Evaluation = "evaluation", Number, "its static evaluation, where it was asked for";
    Uncertain = "uncertain", Truth, "whether the value may not be the minimax value";
    Price = "price", Number, "what its move was searched at, in plies";
    Extension = "extension", Number, "how much less than a ply its move costs, in plies";
    Reduction = "reduction", Number, "how much more than it costs its move was searched at, in plies";
    Probability = "probability", Number, "how likely its move was to raise alpha, from 0 to 1, where prices are learned";
    Reason = "reason", Word, "what says most about that: depth, class, history, evaluation, …; none";
    Number = "number", Number, "the number of its move in the order, from 1";
    LeftOut = "left_out", Number, "how many of its moves were left out; left_out_by_TECHNIQUE tells by which";
    LeftOutByNBest = "left_out_by_n_best", Number, "those that N-best left out";
    LeftOutByLate = "left_out_by_late_move_pruning", Number, "those that late-move pruning left out";
    LeftOutByFutility = "left_out_by_futility", Number, "those that futility left out";
    LeftOutByLosing = "left_out_by_losing_exchanges", Number, "those that lose material";
    LeftOutByUncertainty = "left_out_by_uncertainty", Number, "those that uncertainty cutoffs left out";
    LeftOutByHistory = "left_out_by_history_pruning", Number, "those with a bad record";
    LeftOutByPrice = "left_out_by_learned_price", Number, "those that cost more than there was";
    Subtree = "subtree", Number, "the nodes of its subtree, itself included";
    Records = "records", Number, "the recorded nodes of its subtree";
    Children = "children", Number, "the searches right below it";
}

/// The fields, one on each line.
pub fn describe_fields() -> String {
    let width = FIELDS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    FIELDS.iter().map(|(name, what)| format!("  {name:<width$}  {what}\n")).collect()
}

impl Field {
    /// The names that a field of words can have.
    pub(crate) fn words(self) -> Vec<&'static str> {
        let techniques = || Technique::ALL.iter().map(|technique| technique.name());
        match self {
            Field::Kind => KINDS.all().collect(),
            Field::Purpose => PURPOSES.all().collect(),
            Field::End => ENDS.all().chain(techniques()).collect(),
            Field::CutBy => techniques().chain(["none"]).collect(),
            Field::Bound => BOUNDS.all().collect(),
            Field::Phase => PHASES.all().collect(),
            Field::ExtensionClass => EXTENSIONS.all().collect(),
            Field::Reason => REASONS.all().collect(),
            _ => Vec::new(),
        }
    }

    /// What a node has here; `children` counts its children.
    pub(crate) fn of(self, node: &Node, children: impl FnOnce() -> usize) -> Value {
        let plies = |hundredths: i32| Value::Number(f64::from(hundredths) / 100.0);
        let left_out = |place: usize| Value::Number(node.left_out.by(LEAVERS[place]).into());
        match self {
            Field::Kind => Value::Word(KINDS.name(node.kind)),
            Field::Purpose => Value::Word(PURPOSES.name(node.purpose)),
            Field::End => Value::Word(node.end.name()),
            Field::CutBy => Value::Word(node.cut_by().map_or("none", Technique::name)),
            Field::Bound => Value::Word(BOUNDS.name(node.bound())),
            Field::Phase => Value::Word(PHASES.name(node.phase)),
            Field::ExtensionClass => Value::Word(EXTENSIONS.name(node.extension)),
            Field::Ply => Value::Number(node.ply.into()),
            Field::Depth => plies(node.depth.in_hundredths()),
            Field::Alpha => Value::Number(node.window.alpha.into()),
            Field::Beta => Value::Number(node.window.beta.into()),
            Field::Narrowed => Value::Truth(node.narrowed.is_some()),
            Field::NarrowAlpha => Value::Number(node.used_window().alpha.into()),
            Field::NarrowBeta => Value::Number(node.used_window().beta.into()),
            Field::Value => Value::score(node.value),
            Field::Evaluation => Value::score(node.evaluation),
            Field::Uncertain => Value::Truth(node.uncertain),
            Field::Price => plies(node.price.in_hundredths()),
            Field::Extension => plies(100i32.wrapping_sub(node.full.in_hundredths())),
            Field::Reduction => plies(node.price.in_hundredths().wrapping_sub(node.full.in_hundredths())),
            Field::Probability => match node.likelihood {
                Some(found) => Value::Number(f64::from(found.per_myriad) / 10_000.0),
                None => Value::Missing,
            },
            Field::Reason => Value::Word(REASONS.name(node.likelihood.map(|found| found.strongest))),
            Field::Number => Value::Number(node.number.into()),
            Field::LeftOut => Value::Number(node.left_out.total().into()),
            Field::LeftOutByNBest => left_out(0),
            Field::LeftOutByLate => left_out(1),
            Field::LeftOutByFutility => left_out(2),
            Field::LeftOutByLosing => left_out(3),
            Field::LeftOutByUncertainty => left_out(4),
            Field::LeftOutByHistory => left_out(5),
            Field::LeftOutByPrice => left_out(6),
            Field::Subtree => Value::Number(node.nodes as f64),
            Field::Records => Value::Number(node.records as f64),
            Field::Children if node.records == 1 => Value::Number(0.0),
            Field::Children => Value::Number(children() as f64),
        }
    }
}

/// The fields for other programs: name, meaning, and the words that a field of words can be.
pub fn fields_to_json() -> Vec<serde_json::Value> {
    let describe = |(name, what): &(&str, &str)| {
        let words = Field::named(name).map(Field::words).filter(|words| !words.is_empty());
        serde_json::json!({"name": name, "what": what, "words": words})
    };
    FIELDS.iter().map(describe).collect()
}

/// The fields of a node for other programs, but for its children.
pub fn node_fields(node: &Node) -> Vec<(&'static str, serde_json::Value)> {
    let told = FIELDS.iter().filter_map(|(name, _)| Field::named(name));
    let told = told.filter(|field| !matches!(field, Field::Children) && !field.name().starts_with("left_out_by"));
    told.map(|field| (field.name(), field.of(node, || 0).to_json())).collect()
}
