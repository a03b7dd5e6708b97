//! Questions about nodes: a small language over a node and its relatives.
//!
//! ```text
//! kind = cut and cut_by = multi_cut and parent.depth >= 4 and value < parent.beta
//! any(child, purpose = null_move and value >= beta) and subtree > 10000
//! count(child, number > 0) > 20 or path begins 'e4 e5'
//! ```

mod fields;
mod parse;

use crate::costs::Seen;
use crate::node::{Node, NodeId};
use crate::notation::{TreeNotation, moves};
use crate::reader::{Tree, TreeError, Visit};
pub use fields::{FIELDS, describe_fields, fields_to_json, node_fields};
use fields::{Field, Value};
pub use parse::QueryError;
use parse::{Compare, Expr, Fold, Relation};
use plywise_search::Signal;
use std::collections::VecDeque;

/// A question that was understood.
#[derive(Clone, Debug)]
pub struct Query(Expr);

/// What a question found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How many nodes fit.
    pub count: u64,
    /// The first of them, in the order of the file.
    pub first: Vec<(NodeId, Node)>,
}

/// A node that a question looks at, among its relatives.
struct Place<'a> {
    id: NodeId,
    node: &'a Node,
    above: Above<'a>,
    asked: Asked<'a>,
}

#[derive(Clone, Copy)]
enum Above<'a> {
    Visit(&'a Visit<'a>),
    Place(&'a Place<'a>),
    Line(&'a [Node]),
}

/// What a question is asked of.
#[derive(Clone, Copy)]
struct Asked<'a> {
    tree: &'a Tree,
    notation: &'a dyn TreeNotation,
}

impl Place<'_> {
    fn ancestor(&self, generations: usize) -> Option<Node> {
        match (generations, self.above) {
            (0, _) => Some(*self.node),
            (_, Above::Visit(visit)) => visit.ancestor(generations),
            (_, Above::Place(place)) => place.ancestor(generations - 1),
            (_, Above::Line(line)) => line.len().checked_sub(generations).map(|place| line[place]),
        }
    }

    fn root(&self) -> Node {
        match self.above {
            Above::Visit(visit) => visit.root(),
            Above::Place(place) => place.root(),
            Above::Line(line) => *line.first().unwrap_or(self.node),
        }
    }

    /// The moves that lead here, as players write them.
    fn path(&self) -> Vec<String> {
        let mut line: Vec<Node> = (0..).map_while(|generations| self.ancestor(generations)).collect();
        line.reverse();
        self.asked.notation.line(&moves(&line))
    }
}

impl Query {
    /// Understands a question, or points at the character where it does not.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        parse::parse(text).map(Query)
    }

    /// Asks every node of a tree; keeps the first `wanted` that fit. A signal ends it early, with an error.
    pub fn ask(
        &self,
        tree: &Tree,
        notation: &dyn TreeNotation,
        wanted: usize,
        stop: &Signal,
    ) -> Result<Answer, TreeError> {
        self.ask_watched(tree, notation, wanted, stop, &mut |_| {})
    }

    /// The same; `watch` gets the number of nodes asked, now and then.
    pub fn ask_watched(
        &self,
        tree: &Tree,
        notation: &dyn TreeNotation,
        wanted: usize,
        stop: &Signal,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Answer, TreeError> {
        let (mut count, mut seen) = (0, Seen::default());
        // Nodes come in whatever order is fastest, so the first may come last.
        let mut kept: VecDeque<(NodeId, Node)> = VecDeque::new();
        let is_backward = tree.head().order == crate::Order::Search;
        tree.scan(stop, |visit| {
            seen.add(watch);
            let asked = Asked { tree, notation };
            let place = Place { id: visit.id, node: visit.node, above: Above::Visit(visit), asked };
            if !self.0.is_true(&place) {
                return;
            }
            count += 1;
            if is_backward {
                kept.push_front((visit.id, *visit.node));
                kept.truncate(wanted);
            } else if kept.len() < wanted {
                kept.push_back((visit.id, *visit.node));
            }
        })?;
        Ok(Answer { count, first: kept.into() })
    }

    /// Whether a node fits.
    pub fn fits(&self, tree: &Tree, notation: &dyn TreeNotation, id: NodeId) -> Result<bool, TreeError> {
        let line: Result<Vec<Node>, TreeError> = tree.line(id)?.into_iter().map(|id| tree.node(id)).collect();
        let line = line?;
        let (node, above) = line.split_last().expect("a line has a node");
        let asked = Asked { tree, notation };
        Ok(self.0.is_true(&Place { id, node, above: Above::Line(above), asked }))
    }
}

/// Panics where a question is true of a node, and names the first: for tests of what a search must not do.
///
/// ```no_run
/// # use plywise_tree::{TreeNotation, Tree, assert_none};
/// # fn test(tree: &Tree, notation: &dyn TreeNotation) {
/// // In this position, multi-cut never cuts a node whose own moves did not reach beta before.
/// assert_none(tree, notation, "cut_by = multi_cut and not any(child, purpose = multi_cut and -value >= parent.beta)");
/// # }
/// ```
///
/// # Panics
///
/// Also where the question is not understood, or the tree cannot be read.
#[track_caller]
pub fn assert_none(tree: &Tree, notation: &dyn TreeNotation, question: &str) {
    let query = Query::parse(question).unwrap_or_else(|error| panic!("{error}"));
    let answer = query.ask(tree, notation, 1, &Signal::new()).unwrap_or_else(|error| panic!("{error}"));
    if let Some((id, node)) = answer.first.first() {
        let line = tree.moves_to(*id).map(|moves| notation.line(&moves).join(" ")).unwrap_or_default();
        let (count, node) = (answer.count, crate::describe_node(node));
        panic!("{count} nodes of the tree are what must not be: {question}\nthe first is {id} ({line}): {node}");
    }
}

impl Expr {
    fn is_true(&self, place: &Place) -> bool {
        self.value(place).is_true()
    }

    fn value(&self, place: &Place) -> Value {
        match self {
            Expr::Constant(value) => value.clone(),
            Expr::Field { generations: 0, field } => field_of(*field, place.node, place),
            Expr::Field { generations, field } => {
                place.ancestor(*generations).map_or(Value::Missing, |node| field_of(*field, &node, place))
            }
            Expr::OfRoot(field) => field_of(*field, &place.root(), place),
            Expr::Path => Value::Text(place.path().join(" ")),
            Expr::Move => place.path().pop().map_or(Value::Missing, Value::Text),
            Expr::Not(inner) => Value::Truth(!inner.is_true(place)),
            Expr::And(all) => Value::Truth(all.iter().all(|each| each.is_true(place))),
            Expr::Or(any) => Value::Truth(any.iter().any(|each| each.is_true(place))),
            Expr::Compare(compare, left, right) => compare.holds(left.value(place), right.value(place)),
            Expr::Sum(sign, left, right) => {
                numbers(left.value(place), right.value(place), |left, right| left + sign * right)
            }
            Expr::Product(left, right) => numbers(left.value(place), right.value(place), |left, right| left * right),
            Expr::Quotient(left, right) => match right.value(place) {
                Value::Number(0.0) => Value::Missing,
                right => numbers(left.value(place), right, |left, right| left / right),
            },
            Expr::Absolute(inner) => numbers(inner.value(place), Value::Number(0.0), |number, _| number.abs()),
            Expr::Over(fold, relation, inner) => over(*fold, *relation, inner, place),
        }
    }
}

fn field_of(field: Field, node: &Node, place: &Place) -> Value {
    field.of(node, || place.asked.tree.children(place.id).map_or(0, |children| children.len()))
}

fn numbers(left: Value, right: Value, join: impl Fn(f64, f64) -> f64) -> Value {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => Value::Number(join(left, right)),
        _ => Value::Missing,
    }
}

/// Asks the relatives of a node.
fn over(fold: Fold, relation: Relation, inner: &Expr, place: &Place) -> Value {
    let mut folded = fold.begin();
    match relation {
        Relation::Child if place.node.records == 1 => {}
        Relation::Child => {
            let tree = place.asked.tree;
            for id in tree.children(place.id).unwrap_or_default() {
                let Ok(node) = tree.node(id) else { break };
                let child = Place { id, node: &node, above: Above::Place(place), asked: place.asked };
                folded.add(inner.value(&child));
            }
        }
        Relation::Ancestor => {
            let line: Vec<Node> = (1..).map_while(|generations| place.ancestor(generations)).collect();
            let line: Vec<Node> = line.into_iter().rev().collect();
            for (above, node) in line.iter().enumerate() {
                let above = Above::Line(&line[..above]);
                folded.add(inner.value(&Place { id: place.id, node, above, asked: place.asked }));
            }
        }
    }
    folded.end()
}

impl Compare {
    fn holds(self, left: Value, right: Value) -> Value {
        if let (Compare::Begins, Value::Text(line), Value::Text(start)) = (self, &left, &right) {
            let rest = line.strip_prefix(start.as_str());
            return Value::Truth(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
        }
        let order = match (&left, &right) {
            (Value::Number(left), Value::Number(right)) => left.partial_cmp(right),
            (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
            (Value::Truth(left), Value::Truth(right)) => Some(left.cmp(right)),
            (Value::Word(left), Value::Word(right)) => Some(left.cmp(right)),
            // Nothing is known of what is missing, but that it is.
            (Value::Missing, Value::Word("none")) => Some(std::cmp::Ordering::Equal),
            (_, Value::Word("none")) => Some(std::cmp::Ordering::Less),
            _ => None,
        };
        Value::Truth(order.is_some_and(|order| match self {
            Compare::Equal => order.is_eq(),
            Compare::Unequal => order.is_ne(),
            Compare::Less => order.is_lt(),
            Compare::AtMost => order.is_le(),
            Compare::Greater => order.is_gt(),
            Compare::AtLeast => order.is_ge(),
            Compare::Begins => false,
        }))
    }
}

/// What the relatives asked so far say together.
struct Folded {
    fold: Fold,
    value: f64,
    any: bool,
}

impl Fold {
    fn begin(self) -> Folded {
        let value = match self {
            Fold::Least => f64::INFINITY,
            Fold::Most => f64::NEG_INFINITY,
            Fold::Any | Fold::All | Fold::Count | Fold::Sum => 0.0,
        };
        Folded { fold: self, value, any: false }
    }
}

impl Folded {
    fn add(&mut self, value: Value) {
        match (self.fold, value) {
            (Fold::Any | Fold::Count, value) => self.value += f64::from(u8::from(value.is_true())),
            (Fold::All, value) => self.value += f64::from(u8::from(!value.is_true())),
            (Fold::Sum, Value::Number(number)) => self.value += number,
            (Fold::Least, Value::Number(number)) => {
                self.value = self.value.min(number);
                self.any = true;
            }
            (Fold::Most, Value::Number(number)) => {
                self.value = self.value.max(number);
                self.any = true;
            }
            _ => {}
        }
    }

    fn end(self) -> Value {
        match self.fold {
            Fold::Any => Value::Truth(self.value > 0.0),
            Fold::All => Value::Truth(self.value == 0.0),
            Fold::Count | Fold::Sum => Value::Number(self.value),
            Fold::Least | Fold::Most if self.any => Value::Number(self.value),
            Fold::Least | Fold::Most => Value::Missing,
        }
    }
}
