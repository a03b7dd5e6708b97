//! What files, questions and answers call the parts of a node. Codes are what blocks store: they never change.

use crate::{Ended, Node};
use plywise_game::Depth;
use plywise_search::{Bound, End, ExtensionClass, Likelihood, MovePhase, NodeKind, PriceInput, Purpose, Technique};

/// A list of values, each with its code (its place) and its name.
pub(crate) struct Names<T: 'static>(pub(crate) &'static [(T, &'static str)]);

impl<T: Copy + PartialEq> Names<T> {
    pub(crate) fn name(&self, value: T) -> &'static str {
        self.0.iter().find(|(each, _)| *each == value).map_or("unknown", |(_, name)| name)
    }

    pub(crate) fn code(&self, value: T) -> u8 {
        self.0.iter().position(|(each, _)| *each == value).unwrap_or(self.0.len()) as u8
    }

    pub(crate) fn at(&self, code: u8) -> Option<T> {
        self.0.get(usize::from(code)).map(|(value, _)| *value)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(_, name)| *name)
    }
}

pub(crate) const KINDS: Names<Option<NodeKind>> = Names(&[
    (Some(NodeKind::Pv), "pv"),
    (Some(NodeKind::Cut), "cut"),
    (Some(NodeKind::All), "all"),
    (Some(NodeKind::Quiescence), "quiescence"),
    (None, "unknown"),
]);

pub(crate) const PURPOSES: Names<Option<Purpose>> = Names(&[
    (Some(Purpose::Root), "root"),
    (Some(Purpose::Move), "move"),
    (Some(Purpose::Step), "step"),
    (Some(Purpose::FullPrice), "full_price"),
    (Some(Purpose::OpenWindow), "open_window"),
    (Some(Purpose::NullMove), "null_move"),
    (Some(Purpose::Verification), "verification"),
    (Some(Purpose::ProbCut), "probcut"),
    (Some(Purpose::MultiCut), "multi_cut"),
    (Some(Purpose::Singular), "singular"),
    (Some(Purpose::InternalDeepening), "internal_deepening"),
    (Some(Purpose::Razoring), "razoring"),
    (None, "probe"),
    (Some(Purpose::CaptureProbCut), "capture_probcut"),
]);

pub(crate) const PHASES: Names<Option<MovePhase>> = Names(&[
    (None, "none"),
    (Some(MovePhase::Table), "table"),
    (Some(MovePhase::Tactical), "tactical"),
    (Some(MovePhase::Killer), "killer"),
    (Some(MovePhase::History), "history"),
    (Some(MovePhase::Rest), "rest"),
    (Some(MovePhase::Losing), "losing"),
]);

pub(crate) const EXTENSIONS: Names<Option<ExtensionClass>> = Names(&[
    (None, "none"),
    (Some(ExtensionClass::Check), "check"),
    (Some(ExtensionClass::OneReply), "one_reply"),
    (Some(ExtensionClass::Recapture), "recapture"),
    (Some(ExtensionClass::Advance), "advance"),
    (Some(ExtensionClass::Threat), "threat"),
]);

/// What says most about the price of a move.
pub(crate) const REASONS: Names<Option<PriceInput>> = Names(&[
    (None, "none"),
    (Some(PriceInput::Depth), PriceInput::Depth.name()),
    (Some(PriceInput::Number), PriceInput::Number.name()),
    (Some(PriceInput::Late), PriceInput::Late.name()),
    (Some(PriceInput::Phase), PriceInput::Phase.name()),
    (Some(PriceInput::Kind), PriceInput::Kind.name()),
    (Some(PriceInput::Changes), PriceInput::Changes.name()),
    (Some(PriceInput::Gap), PriceInput::Gap.name()),
    (Some(PriceInput::Drop), PriceInput::Drop.name()),
    (Some(PriceInput::History), PriceInput::History.name()),
    (Some(PriceInput::Evaluation), PriceInput::Evaluation.name()),
    (Some(PriceInput::Rising), PriceInput::Rising.name()),
    (Some(PriceInput::Before), PriceInput::Before.name()),
    (Some(PriceInput::Table), PriceInput::Table.name()),
    (Some(PriceInput::Check), PriceInput::Check.name()),
    (Some(PriceInput::Cutoffs), PriceInput::Cutoffs.name()),
    (Some(PriceInput::OnPv), PriceInput::OnPv.name()),
    (Some(PriceInput::Class), PriceInput::Class.name()),
]);

pub(crate) const BOUNDS: Names<Option<Bound>> = Names(&[
    (Some(Bound::Exact), "exact"),
    (Some(Bound::Lower), "lower"),
    (Some(Bound::Upper), "upper"),
    (None, "none"),
]);

/// Why a node ended, but for the techniques, whose codes follow.
pub(crate) const ENDS: Names<Ended> = Names(&[
    (Ended::By(End::Moves), "moves"),
    (Ended::By(End::StandPat), "stand_pat"),
    (Ended::By(End::Evaluated), "evaluated"),
    (Ended::By(End::Draw), "draw"),
    (Ended::By(End::Over), "over"),
    (Ended::Stopped, "stopped"),
    (Ended::Unknown, "unknown"),
]);

/// The code of the first technique that cuts.
const CUTS: u8 = 16;

impl Ended {
    /// What it is called: the name of the technique where one cut.
    pub fn name(self) -> &'static str {
        match self {
            Ended::By(End::Cut(technique)) => technique.name(),
            other => ENDS.name(other),
        }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Ended::By(End::Cut(technique)) => {
                let place = Technique::ALL.iter().position(|&each| each == technique);
                CUTS + place.unwrap_or(Technique::ALL.len()) as u8
            }
            other => ENDS.code(other),
        }
    }

    /// What a code means, where `techniques` are those of the file.
    pub(crate) fn at(code: u8, techniques: &[Technique]) -> Option<Ended> {
        match code.checked_sub(CUTS) {
            None => ENDS.at(code),
            Some(place) => techniques.get(usize::from(place)).map(|&technique| Ended::By(End::Cut(technique))),
        }
    }
}

/// The technique of this name.
pub(crate) fn technique(name: &str) -> Option<Technique> {
    Technique::ALL.iter().copied().find(|each| each.name() == name)
}

/// What the parts of a node are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeNames {
    /// What it was expected to be.
    pub kind: &'static str,
    /// What it was searched for.
    pub purpose: &'static str,
    /// Why it was left.
    pub end: &'static str,
    /// What its value is.
    pub bound: &'static str,
    /// The part of the order that its move comes from.
    pub phase: &'static str,
    /// The class by which its move was priced.
    pub class: &'static str,
}

/// What the parts of a node are called.
pub fn names_of(node: &Node) -> NodeNames {
    NodeNames {
        kind: KINDS.name(node.kind),
        purpose: PURPOSES.name(node.purpose),
        end: node.end.name(),
        bound: BOUNDS.name(node.bound()),
        phase: PHASES.name(node.phase),
        class: EXTENSIONS.name(node.extension),
    }
}

/// A node in one sentence.
pub fn describe_node(node: &Node) -> String {
    let NodeNames { kind, purpose, end, bound, phase, class } = names_of(node);
    let mut parts = vec![format!("{kind} node for {purpose}, depth {}", node.depth)];
    parts.push(format!("window {} {}", node.window.alpha, node.window.beta));
    parts.extend(node.narrowed.map(|window| format!("narrowed to {} {}", window.alpha, window.beta)));
    if let Some(value) = node.value {
        let uncertain = if node.uncertain { ", uncertain" } else { "" };
        parts.push(format!("value {value} ({bound}{uncertain})"));
    }
    parts.extend(node.evaluation.map(|evaluation| format!("evaluation {evaluation}")));
    parts.push(format!("left by {end}"));
    if node.number > 0 {
        parts.push(format!("move {} ({phase})", node.number));
    }
    if node.price != Depth::PLY || node.full != Depth::PLY {
        parts.push(format!("price {} of {}", node.price, node.full));
    }
    if let Some(Likelihood { per_myriad, strongest }) = node.likelihood {
        let percent = f64::from(per_myriad) / 100.0;
        parts.push(format!("{percent} % likely to raise alpha, most of all by its {}", strongest.in_words()));
    }
    if node.extension.is_some() {
        parts.push(format!("class {class}"));
    }
    parts.extend(node.left_out.each().map(|(technique, moves)| format!("{moves} left out by {}", technique.name())));
    parts.push(format!("{} nodes", node.nodes));
    parts.join(", ")
}
