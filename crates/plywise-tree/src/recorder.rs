//! Writing trees while they are searched. A [`Recording`] is the file; each thread of the search has a [`Recorder`], which
//! is an observer, and under it a [`Stream`], which knows no game.

use crate::block::{self, Block};
use crate::file::{Head, MARK, Place, Summary, What, footer, pack};
use crate::node::{Ended, LeftOut, Node};
use crate::{Filter, Texts};
use plywise_game::{Depth, Game, Score, Window, random};
use plywise_search::{Entered, ExtensionClass, Leaving, Likelihood, MovePhase, NodeKind, Observer, Purpose, Technique};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A file that is being recorded. Every whole block is in it at once: whatever ends the program, they can be read.
#[derive(Clone)]
pub struct Recording {
    shared: Arc<Mutex<Output>>,
    filter: Filter,
}

struct Output {
    file: File,
    at: u64,
    index: Vec<Place>,
    /// Recorded nodes.
    records: u64,
    /// A search cannot be told that the disk is full: the first error is kept, and nothing more is written.
    error: Option<io::Error>,
}

/// What became of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The nodes in the file.
    pub records: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Output {
    fn write(&mut self, what: What, stream: u16, first: u64, count: usize, raw: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let written = pack(what, stream, first, count as u32, raw).and_then(|bytes| {
            self.file.write_all(&bytes)?;
            Ok(bytes.len())
        });
        match written {
            Ok(length) => {
                self.index.push(Place { what, stream, first, count: count as u32, at: self.at });
                self.at += length as u64;
                self.records += if what == What::Nodes { count as u64 } else { 0 };
            }
            Err(error) => self.error = Some(error),
        }
    }
}

fn json(document: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(document).expect("numbers and texts can always be written")
}

impl Recording {
    /// Begins a file. What it held before is gone.
    pub fn create(path: &Path, head: &Head, filter: Filter) -> io::Result<Recording> {
        let mut file = File::create(path)?;
        file.write_all(MARK)?;
        let at = MARK.len() as u64;
        let mut output = Output { file, at, index: Vec::new(), records: 0, error: None };
        let techniques = Technique::ALL.iter().map(|technique| technique.name().to_string()).collect();
        let filter_text = (filter != Filter::default()).then(|| filter.to_string());
        let head = Head { techniques, filter: head.filter.clone().or(filter_text), ..head.clone() };
        output.write(What::Head, 0, 0, 0, &json(&head));
        match output.error.take() {
            Some(error) => Err(error),
            None => Ok(Recording { shared: Arc::new(Mutex::new(output)), filter }),
        }
    }

    /// The stream of a thread.
    pub fn stream(&self, number: u16) -> Stream {
        let (shared, filter) = (self.shared.clone(), self.filter);
        Stream {
            shared,
            filter,
            number,
            open: Vec::new(),
            pending: Vec::with_capacity(block::NODES),
            first: 0,
            hidden: 0,
            count: 0,
            chance: 0,
        }
    }

    /// An observer for the first thread of a search; it sees to the others.
    pub fn recorder<G: Game>(&self) -> Recorder<G> {
        Recorder { recording: self.clone(), stream: self.stream(0), game: std::marker::PhantomData }
    }

    /// Writes names of moves and boards.
    pub fn write_texts(&self, texts: &Texts) {
        self.output().write(What::Texts, 0, 0, 0, &json(texts));
    }

    pub(crate) fn write_block(&self, stream: u16, first: u64, block: &Block) {
        let bytes = block::encode(block);
        self.output().write(What::Nodes, stream, first, block.nodes.len(), &bytes);
    }

    /// Ends the file with what the search said, and an index. All streams must have ended.
    pub fn finish(self, summary: &Summary) -> io::Result<Recorded> {
        let mut output = self.output();
        output.write(What::Summary, 0, 0, 0, &json(summary));
        let (place, index) = (output.at, Place::write_all(&output.index));
        output.write(What::Index, 0, 0, 0, &index);
        if let Some(error) = output.error.take() {
            return Err(error);
        }
        output.file.write_all(&footer(place))?;
        output.file.sync_data()?;
        Ok(Recorded { records: output.records, bytes: output.at + footer(place).len() as u64 })
    }

    fn output(&self) -> std::sync::MutexGuard<'_, Output> {
        // Nothing in there is left half done by a panic: what was written is whole.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A node that is being entered, of whatever game.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The move that led here; see [`Node::mv`].
    pub mv: u32,
    /// Plies from the root.
    pub ply: usize,
    /// The depth left.
    pub depth: Depth,
    /// The window on entry.
    pub window: Window,
    /// What the node is expected to be.
    pub kind: Option<NodeKind>,
    /// What it is searched for.
    pub purpose: Option<Purpose>,
    /// What the move is searched at.
    pub price: Depth,
    /// What it costs in full.
    pub full: Depth,
    /// Its number in the order.
    pub number: usize,
    /// The part of the order that it comes from.
    pub phase: Option<MovePhase>,
    /// The class by which it was priced.
    pub extension: Option<ExtensionClass>,
    /// How likely it was to raise alpha, where prices are learned.
    pub likelihood: Option<Likelihood>,
    /// The nodes that the thread has searched, this one included.
    pub count: u64,
}

/// A node that is being left.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// The value; `None` where the search was stopped.
    pub value: Option<Score>,
    /// Whether it is uncertain.
    pub uncertain: bool,
    /// The evaluation.
    pub evaluation: Option<Score>,
    /// Why it is left.
    pub end: Ended,
    /// The nodes that the thread has searched.
    pub count: u64,
}

/// An open node.
struct Open {
    entry: Entry,
    narrowed: Option<Window>,
    left_out: LeftOut,
    /// The number of the first node that will be recorded below it.
    start: u64,
}

/// What one thread records.
pub struct Stream {
    shared: Arc<Mutex<Output>>,
    filter: Filter,
    number: u16,
    open: Vec<Open>,
    /// Nodes that were left and are not written yet.
    pending: Vec<Node>,
    /// The number of the first of them.
    first: u64,
    /// How many nodes are open that the filter does not let through.
    hidden: usize,
    /// The thread's count when the last node was entered or left.
    count: u64,
    /// Counts what sampling decides about.
    chance: u64,
}

impl Stream {
    /// A node is entered.
    pub fn enter(&mut self, entry: &Entry) {
        if entry.purpose == Some(Purpose::Root) {
            self.close_open();
        }
        self.count = entry.count;
        if self.hidden > 0 || !self.filter.lets_through(entry) {
            self.hidden += 1;
            return;
        }
        let start = self.first + self.pending.len() as u64;
        self.open.push(Open { entry: *entry, narrowed: None, left_out: LeftOut::default(), start });
    }

    /// The node entered last is left.
    pub fn leave(&mut self, exit: &Exit) {
        self.count = exit.count;
        if self.hidden > 0 {
            self.hidden -= 1;
            return;
        }
        let Some(open) = self.open.pop() else { return };
        let node = self.node(&open, exit);
        if self.is_dropped(&node) {
            self.pending.truncate(self.pending.len() + 1 - node.records as usize);
            return;
        }
        self.pending.push(node);
        if self.pending.len() == block::NODES {
            self.flush();
        }
    }

    /// Whether the next node that is left fills a block.
    pub(crate) fn is_almost_full(&self) -> bool {
        self.pending.len() + 1 == block::NODES
    }

    /// The window of the node that is open is narrowed.
    pub fn narrow(&mut self, window: Window) {
        if let Some(open) = self.open.last_mut().filter(|_| self.hidden == 0) {
            open.narrowed = Some(window).filter(|window| *window != open.entry.window);
        }
    }

    /// Moves of the node that is open are left out.
    pub fn left_out(&mut self, technique: Technique, moves: usize) {
        if let Some(open) = self.open.last_mut().filter(|_| self.hidden == 0) {
            open.left_out.add(technique, moves);
        }
    }

    fn node(&self, open: &Open, exit: &Exit) -> Node {
        let Entry { mv, ply, depth, window, kind, purpose, price, full, number, phase, extension, likelihood, count } =
            open.entry;
        let records = self.first + self.pending.len() as u64 - open.start + 1;
        Node {
            mv,
            ply: ply as u16,
            depth,
            window,
            narrowed: open.narrowed,
            kind,
            purpose,
            price,
            full,
            number: number as u32,
            phase,
            extension,
            likelihood,
            evaluation: exit.evaluation,
            value: exit.value,
            uncertain: exit.uncertain,
            end: exit.end,
            left_out: open.left_out,
            records,
            nodes: (exit.count + 1).saturating_sub(count).max(records),
        }
    }

    /// Whether sampling drops a node with its subtree: one that is small, and was not chosen.
    fn is_dropped(&mut self, node: &Node) -> bool {
        let Some(one_in) = self.filter.sample else { return false };
        if node.purpose == Some(Purpose::Root) || node.records >= one_in || node.records as usize > self.pending.len() {
            return false;
        }
        self.chance += 1;
        !random::number(0, self.chance).is_multiple_of(one_in)
    }

    fn flush(&mut self) {
        let open = self.open.iter().map(|open| self.node(open, &self.stopped())).collect();
        let block = Block { nodes: std::mem::take(&mut self.pending), open, links: Vec::new() };
        let bytes = block::encode(&block);
        let mut output = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        output.write(What::Nodes, self.number, self.first, block.nodes.len(), &bytes);
        self.first += block.nodes.len() as u64;
        self.pending = block.nodes;
        self.pending.clear();
    }

    fn stopped(&self) -> Exit {
        let count = self.count;
        Exit { value: None, uncertain: false, evaluation: None, end: Ended::Stopped, count }
    }

    /// Closes the nodes that a stopped search left open.
    pub fn close_open(&mut self) {
        self.hidden = 0;
        while !self.open.is_empty() {
            self.leave(&self.stopped());
        }
    }
}

impl Drop for Stream {
    /// Writes what is left.
    fn drop(&mut self) {
        self.close_open();
        if !self.pending.is_empty() {
            self.flush();
        }
    }
}

/// An observer that records what it sees.
pub struct Recorder<G> {
    recording: Recording,
    stream: Stream,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Recorder<G> {
    fn enter_any(&mut self, node: &Entered<'_, G>) {
        let arrival = &node.arrival;
        let moved = !arrival.purpose.stays();
        self.stream.enter(&Entry {
            mv: node.mv.filter(|_| moved).map_or(0, |mv| G::move_code(mv).into()),
            ply: node.ply,
            depth: node.depth,
            window: node.window,
            kind: Some(node.kind),
            purpose: Some(arrival.purpose),
            price: arrival.price,
            full: arrival.full,
            number: arrival.number,
            phase: arrival.phase,
            extension: node.extension.map(|extension| extension.class).filter(|_| moved),
            likelihood: arrival.likelihood,
            count: node.count,
        });
    }

    fn leave_any(&mut self, node: &Leaving) {
        let Leaving { score, uncertain, evaluation, end, count, .. } = *node;
        self.stream.leave(&Exit { value: Some(score), uncertain, evaluation, end: Ended::By(end), count });
    }
}

impl<G: Game> Observer<G> for Recorder<G> {
    fn enter(&mut self, node: &Entered<'_, G>) {
        self.enter_any(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.leave_any(node);
    }

    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        self.enter_any(node);
    }

    fn leave_quiescence(&mut self, node: &Leaving) {
        self.leave_any(node);
    }

    fn narrowed(&mut self, window: Window) {
        self.stream.narrow(window);
    }

    fn left_out(&mut self, technique: Technique, moves: usize) {
        self.stream.left_out(technique, moves);
    }

    fn beside(&mut self, thread: usize) -> Option<Box<dyn Observer<G> + Send>> {
        let (recording, stream) = (self.recording.clone(), self.recording.stream(thread as u16));
        Some(Box::new(Recorder { recording, stream, game: std::marker::PhantomData }))
    }
}
