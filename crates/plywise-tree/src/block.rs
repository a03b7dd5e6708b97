//! Nodes as bytes: a block holds some thousand nodes, field by field, each as its difference from what its neighbours
//! make likely, and compressed. A block is read without any other.

use crate::names::{EXTENSIONS, KINDS, PHASES, PURPOSES, REASONS};
use crate::node::{Ended, LEAVERS, LeftOut, Node};
use plywise_game::score::MAX_PLY;
use plywise_game::{Depth, Score, Window};
use plywise_search::{Likelihood, NodeKind, Technique};

/// How many nodes a block holds at most.
pub(crate) const NODES: usize = 4096;

/// More bytes than the nodes of a block ever take, before they are compressed.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// More nodes than are ever open at once: each ply may search its node again.
pub(crate) const MOST_OPEN: usize = 2 * PLIES;

/// Depths in the tree beyond this are damage. The null move and the searches of one node do not add plies.
const PLIES: usize = 2 * MAX_PLY;

/// How a node of a file in breadth-first order hangs together with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// The node above; a root has none.
    pub(crate) parent: Option<u64>,
    /// The first of its children, which follow each other.
    pub(crate) first_child: u64,
    /// How many children it has.
    pub(crate) children: u64,
}

impl Link {
    /// A number that grows from root to root and parent to parent.
    fn parent_code(&self) -> u64 {
        self.parent.map_or(0, |parent| parent + 1)
    }
}

/// The nodes of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) nodes: Vec<Node>,
    /// In a file in the order of the search: the nodes that are open behind the last one, from the root down. Their
    /// `records` count what is recorded below them so far.
    pub(crate) open: Vec<Node>,
    /// In a file in breadth-first order: a link for each node.
    pub(crate) links: Vec<Link>,
}

/// The fields, each in a column of its own.
#[derive(Clone, Copy)]
enum Column {
    Ply,
    Tag,
    End,
    Records,
    Unrecorded,
    Move,
    Depth,
    Price,
    Reduction,
    Number,
    Phase,
    Alpha,
    Width,
    Evaluation,
    Value,
    LeftOut,
    Counts,
    Parent,
    Children,
    Narrowed,
    Likelihood,
}

const COLUMNS: usize = Column::Likelihood as usize + 1;

/// The columns of version 01, whose nodes know no narrowed window.
pub(crate) const COLUMNS_01: usize = Column::Narrowed as usize;
/// The columns of version 02, whose nodes know no probabilities.
pub(crate) const COLUMNS_02: usize = Column::Likelihood as usize;
/// The columns of version 03.
pub(crate) const COLUMNS_03: usize = COLUMNS;

/// What is likely, by what the block said last about each ply.
struct Expected {
    depth: [i32; PLIES + 2],
    alpha: [Score; PLIES + 2],
    evaluation: [Score; PLIES + 2],
    value: [Score; PLIES + 2],
}

impl Expected {
    fn new() -> Box<Expected> {
        let zeros = [0; PLIES + 2];
        Box::new(Expected { depth: zeros, alpha: zeros, evaluation: zeros, value: zeros })
    }

    /// The likely value: standing pat gives the evaluation, a cut the value of the last move, seen from the other side.
    fn value(&self, node: &Node) -> Score {
        match node.evaluation {
            _ if node.records > 1 => self.value[usize::from(node.ply) + 1].wrapping_neg(),
            Some(evaluation) => evaluation,
            None => node.window.alpha,
        }
    }

    fn note(&mut self, node: &Node) {
        let ply = usize::from(node.ply);
        if node.kind != Some(NodeKind::Quiescence) {
            self.depth[ply] = node.depth.in_hundredths();
        }
        self.alpha[ply] = node.window.alpha;
        if let Some(evaluation) = node.evaluation {
            self.evaluation[ply] = evaluation;
        }
        if let Some(value) = node.value {
            self.value[ply] = value;
        }
    }
}

const UNCERTAIN: u8 = 0x80;
const EVALUATED: u8 = 0x80;
/// Beside the bits of those who left out moves.
const NARROWED: u8 = 0x80;

/// The bytes of a block.
pub(crate) fn encode(block: &Block) -> Vec<u8> {
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    let mut expected = Expected::new();
    for node in block.nodes.iter().chain(&block.open) {
        encode_node(&mut columns, &mut expected, node);
    }
    // Roots come first, and later nodes have later parents.
    let mut before = block.links.first().map_or(0, Link::parent_code);
    let base = (before, block.links.first().map_or(0, |link| link.first_child));
    for link in &block.links {
        write(&mut columns[Column::Parent as usize], link.parent_code() - before);
        write(&mut columns[Column::Children as usize], link.children);
        before = link.parent_code();
    }
    let mut bytes = Vec::with_capacity(columns.iter().map(Vec::len).sum::<usize>() + 8 * COLUMNS);
    for number in [block.nodes.len() as u64, block.open.len() as u64, block.links.len() as u64, base.0, base.1] {
        write(&mut bytes, number);
    }
    columns.iter().for_each(|column| write(&mut bytes, column.len() as u64));
    columns.iter().for_each(|column| bytes.extend_from_slice(column));
    bytes
}

fn encode_node(columns: &mut [Vec<u8>; COLUMNS], expected: &mut Expected, node: &Node) {
    let ply = usize::from(node.ply);
    let mut put = |column: Column, number: u64| write(&mut columns[column as usize], number);
    put(Column::Ply, ply as u64);
    put(Column::Records, node.records.wrapping_sub(1));
    put(Column::Unrecorded, node.nodes.wrapping_sub(node.records));
    put(Column::Move, node.mv.into());
    if node.kind != Some(NodeKind::Quiescence) {
        put(Column::Depth, folded(node.depth.in_hundredths(), expected.depth[ply]));
    }
    put(Column::Price, folded(node.price.in_hundredths(), Depth::PLY.in_hundredths()));
    put(Column::Reduction, folded(node.price.in_hundredths(), node.full.in_hundredths()));
    put(Column::Number, node.number.into());
    put(Column::Alpha, folded(node.window.alpha, expected.alpha[ply]));
    put(Column::Width, u64::from(node.window.beta.wrapping_sub(node.window.alpha).wrapping_sub(1) as u32));
    if let Some(evaluation) = node.evaluation {
        put(Column::Evaluation, folded(evaluation, expected.evaluation[ply]));
    }
    if let Some(value) = node.value {
        put(Column::Value, folded(value, expected.value(node)));
    }
    let mut mask = 0;
    for (place, moves) in node.left_out.counts().into_iter().enumerate().filter(|(_, moves)| *moves > 0) {
        mask |= 1 << place;
        put(Column::Counts, moves.into());
    }
    if let Some(narrowed) = node.narrowed {
        mask |= NARROWED;
        put(Column::Narrowed, folded(narrowed.alpha, node.window.alpha));
        put(Column::Narrowed, folded(narrowed.beta, node.window.beta));
    }
    let likelihood = node.likelihood;
    put(Column::Likelihood, REASONS.code(likelihood.map(|found| found.strongest)).into());
    if let Some(found) = likelihood {
        put(Column::Likelihood, found.per_myriad.into());
    }
    let mut put = |column: Column, byte: u8| columns[column as usize].push(byte);
    put(Column::LeftOut, mask);
    put(
        Column::Tag,
        KINDS.code(node.kind) | (PURPOSES.code(node.purpose) << 3) | (u8::from(node.uncertain) * UNCERTAIN),
    );
    put(Column::End, node.end.code() | (u8::from(node.evaluation.is_some()) * EVALUATED));
    put(Column::Phase, PHASES.code(node.phase) | (EXTENSIONS.code(node.extension) << 4));
    expected.note(node);
}

/// The block of these bytes with this number of columns; `None` if they make no sense.
pub(crate) fn decode(bytes: &[u8], techniques: &[Technique], present: usize) -> Option<Block> {
    let mut rest = bytes;
    let mut number = || read(&mut rest);
    let (nodes, open, links) = (number()? as usize, number()? as usize, number()? as usize);
    let (mut parent, mut first_child) = (number()?, number()?);
    if nodes > NODES || open > MOST_OPEN || (links != 0 && links != nodes) {
        return None;
    }
    let mut lengths = [0; COLUMNS];
    for length in &mut lengths[..present] {
        *length = usize::try_from(number()?).ok()?;
    }
    let mut columns: [&[u8]; COLUMNS] = [&[]; COLUMNS];
    for (column, length) in columns.iter_mut().zip(lengths) {
        let (taken, behind) = rest.split_at_checked(length)?;
        (*column, rest) = (taken, behind);
    }
    let mut expected = Expected::new();
    let mut decode_many = |many: usize, columns: &mut [&[u8]; COLUMNS]| -> Option<Vec<Node>> {
        let mut nodes = Vec::with_capacity(many);
        for _ in 0..many {
            nodes.push(decode_node(columns, &mut expected, techniques, present > COLUMNS_02)?);
        }
        Some(nodes)
    };
    let nodes = decode_many(nodes, &mut columns)?;
    let open = decode_many(open, &mut columns)?;
    let mut block = Block { nodes, open, links: Vec::with_capacity(links) };
    for _ in 0..links {
        parent = parent.checked_add(read(&mut columns[Column::Parent as usize])?)?;
        let children = read(&mut columns[Column::Children as usize])?;
        block.links.push(Link { parent: parent.checked_sub(1), first_child, children });
        first_child = first_child.checked_add(children)?;
    }
    Some(block)
}

fn decode_node(
    columns: &mut [&[u8]; COLUMNS],
    expected: &mut Expected,
    techniques: &[Technique],
    has_likelihoods: bool,
) -> Option<Node> {
    let tag = byte(&mut columns[Column::Tag as usize])?;
    let end = byte(&mut columns[Column::End as usize])?;
    let phase = byte(&mut columns[Column::Phase as usize])?;
    let mask = byte(&mut columns[Column::LeftOut as usize])?;
    let mut get = |column: Column| read(&mut columns[column as usize]);
    let ply = usize::try_from(get(Column::Ply)?).ok().filter(|&ply| ply <= PLIES)?;
    let kind = KINDS.at(tag & 7)?;
    let depth = match kind {
        Some(NodeKind::Quiescence) => Depth::ZERO,
        _ => Depth::hundredths(unfolded(get(Column::Depth)?, expected.depth[ply])),
    };
    let price = unfolded(get(Column::Price)?, Depth::PLY.in_hundredths());
    let reduction = get(Column::Reduction)?;
    let full = price.wrapping_sub(unfolded(reduction, 0));
    let alpha = unfolded(get(Column::Alpha)?, expected.alpha[ply]);
    let beta = alpha.wrapping_add(get(Column::Width)? as u32 as i32).wrapping_add(1);
    let records = get(Column::Records)?.wrapping_add(1);
    let evaluation = match end & EVALUATED {
        0 => None,
        _ => Some(unfolded(get(Column::Evaluation)?, expected.evaluation[ply])),
    };
    let ended = Ended::at(end & !EVALUATED, techniques)?;
    let mut counts = [0; LEAVERS.len()];
    if mask & !NARROWED != 0 {
        for (place, count) in counts.iter_mut().enumerate().filter(|(place, _)| mask >> place & 1 == 1) {
            *count = u16::try_from(get(Column::Counts)?).ok()?;
            debug_assert!(place < LEAVERS.len());
        }
    }
    let narrowed = match mask & NARROWED {
        0 => None,
        _ => {
            let alpha = unfolded(get(Column::Narrowed)?, alpha);
            Some(Window { alpha, beta: unfolded(get(Column::Narrowed)?, beta) })
        }
    };
    let strongest = match has_likelihoods {
        true => REASONS.at(u8::try_from(get(Column::Likelihood)?).ok()?)?,
        false => None,
    };
    let likelihood = match strongest {
        Some(strongest) => {
            let per_myriad = u16::try_from(get(Column::Likelihood)?).ok()?;
            Some(Likelihood { per_myriad, strongest })
        }
        None => None,
    };
    let mut node = Node {
        mv: u32::try_from(get(Column::Move)?).ok()?,
        ply: ply as u16,
        depth,
        window: Window { alpha, beta },
        narrowed,
        kind,
        purpose: PURPOSES.at(tag >> 3 & 15)?,
        price: Depth::hundredths(price),
        full: Depth::hundredths(full),
        number: u32::try_from(get(Column::Number)?).ok()?,
        phase: PHASES.at(phase & 15)?,
        extension: EXTENSIONS.at(phase >> 4)?,
        likelihood,
        evaluation,
        value: None,
        uncertain: tag & UNCERTAIN != 0,
        end: ended,
        left_out: LeftOut::of(counts),
        records,
        nodes: records.wrapping_add(get(Column::Unrecorded)?),
    };
    if ended != Ended::Stopped {
        node.value = Some(unfolded(get(Column::Value)?, expected.value(&node)));
    }
    expected.note(&node);
    Some(node)
}

/// A difference that may be negative as a number that is small where the difference is.
fn folded(number: i32, expected: i32) -> u64 {
    let difference = number.wrapping_sub(expected);
    u64::from((difference << 1 ^ difference >> 31) as u32)
}

fn unfolded(folded: u64, expected: i32) -> i32 {
    let folded = folded as u32;
    expected.wrapping_add((folded >> 1) as i32 ^ -((folded & 1) as i32))
}

/// Writes a number in as many bytes as it needs, seven bits each.
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads what [`write`] wrote.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let first = byte(bytes)?;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut number = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let next = byte(bytes)?;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Some(number);
        }
    }
    None
}

#[inline]
fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_search::{End, ExtensionClass, MovePhase, PriceInput, Purpose};
    use proptest::prelude::*;

    fn nodes() -> impl Strategy<Value = Node> {
        let score = || prop_oneof![-300..300i32, any::<i32>()];
        let ends: Vec<Ended> = [Ended::Stopped, Ended::Unknown, Ended::By(End::Moves), Ended::By(End::StandPat)]
            .into_iter()
            .chain(Technique::ALL.iter().map(|&technique| Ended::By(End::Cut(technique))))
            .collect();
        let place = (any::<u32>(), 0..=PLIES as u16, any::<i32>(), 0..5usize, 0..PURPOSES.0.len());
        let window = || (score(), score()).prop_map(|(alpha, beta)| Window { alpha, beta });
        let reason = proptest::sample::select(PriceInput::ALL);
        let likelihood =
            (any::<u16>(), reason).prop_map(|(per_myriad, strongest)| Likelihood { per_myriad, strongest });
        let likelihood = proptest::option::of(likelihood);
        let arrival = (any::<i32>(), any::<i32>(), any::<u32>(), 0..7usize, 0..6usize, likelihood);
        let verdict =
            (proptest::option::of(score()), score(), any::<bool>(), 0..ends.len(), any::<[u16; LEAVERS.len()]>());
        (place, window(), proptest::option::of(window()), arrival, verdict, 1..1u64 << 40, 0..1u64 << 40).prop_map(
            move |((mv, ply, depth, kind, purpose), window, narrowed, arrival, verdict, records, more)| {
                let (price, full, number, phase, extension, likelihood) = arrival;
                let (evaluation, value, uncertain, end, counts) = verdict;
                let (kind, end) = (KINDS.0[kind].0, ends[end]);
                let is_calm = kind == Some(NodeKind::Quiescence);
                Node {
                    mv,
                    ply,
                    depth: if is_calm { Depth::ZERO } else { Depth::hundredths(depth) },
                    window,
                    narrowed,
                    kind,
                    purpose: PURPOSES.0[purpose].0,
                    price: Depth::hundredths(price),
                    full: Depth::hundredths(full),
                    number,
                    phase: PHASES.0[phase].0,
                    extension: EXTENSIONS.0[extension].0,
                    likelihood,
                    evaluation,
                    value: (end != Ended::Stopped).then_some(value),
                    uncertain,
                    end,
                    left_out: LeftOut::of(counts),
                    records,
                    nodes: records + more,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(nodes in prop::collection::vec(nodes(), 0..40), open in prop::collection::vec(nodes(), 0..5)) {
            let block = Block { nodes, open, links: Vec::new() };
            prop_assert_eq!(decode(&encode(&block), Technique::ALL, COLUMNS), Some(block));
        }

        #[test]
        fn links_are_read(children in prop::collection::vec((0..3u64, 0..5u64), 1..40), start in 0..1000u64) {
            let (mut parent, mut first_child) = (start, start + 7);
            let mut block = Block::default();
            for (step, children) in children {
                parent += step;
                block.links.push(Link { parent: Some(parent), first_child, children });
                first_child += children;
                block.nodes.push(blank());
            }
            prop_assert_eq!(decode(&encode(&block), Technique::ALL, COLUMNS), Some(block));
        }

        #[test]
        fn damage_is_refused_or_read_and_never_more(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for columns in [COLUMNS_01, COLUMNS_02, COLUMNS_03] {
                let _ = decode(&bytes, Technique::ALL, columns);
            }
        }

        #[test]
        fn numbers_come_back(number in any::<u64>(), a in any::<i32>(), b in any::<i32>()) {
            let mut bytes = Vec::new();
            write(&mut bytes, number);
            prop_assert_eq!(read(&mut &bytes[..]), Some(number));
            prop_assert_eq!(unfolded(folded(a, b), b), a);
        }
    }

    fn blank() -> Node {
        Node {
            mv: 1,
            ply: 1,
            depth: Depth::PLY,
            window: Window::FULL,
            narrowed: None,
            kind: Some(NodeKind::Pv),
            purpose: Some(Purpose::Move),
            price: Depth::PLY,
            full: Depth::PLY,
            number: 1,
            phase: Some(MovePhase::Rest),
            extension: Some(ExtensionClass::Check),
            likelihood: None,
            evaluation: None,
            value: Some(3),
            uncertain: false,
            end: Ended::By(End::Moves),
            left_out: LeftOut::default(),
            records: 1,
            nodes: 1,
        }
    }

    #[test]
    fn names_are_told_apart() {
        assert!(PriceInput::ALL.iter().all(|&input| REASONS.at(REASONS.code(Some(input))) == Some(Some(input))));
        for names in [KINDS.all().collect::<Vec<_>>(), PURPOSES.all().collect(), PHASES.all().collect()] {
            let mut sorted = names.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), names.len());
        }
    }
}
