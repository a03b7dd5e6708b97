//! Reading trees: opened by memory map, a block at a time, whatever state the file is in.

use crate::block::{self, Block, Link};
use crate::file::{FOOTER, HEADER, Head, Header, MARK, MARK_01, MARK_02, Order, Place, Summary, What, index_place};
use crate::names;
use crate::node::{Node, NodeId};
use crate::notation::moves;
use plywise_search::{Signal, Technique};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a file cannot be read, or no further: one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The file cannot be opened.
    #[error("cannot open '{file}': {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is something else, or nothing.
    #[error("'{file}' is no recorded tree: {reason}")]
    Foreign {
        /// The file.
        file: String,
        /// What shows it.
        reason: String,
    },
    /// A block does not hold what it should.
    #[error("block {block} of thread {stream} is damaged: {nodes} nodes before it can be read")]
    Damaged {
        /// The thread.
        stream: u16,
        /// The block, among those of its thread.
        block: usize,
        /// The nodes before it.
        nodes: u64,
    },
    /// There is no such node.
    #[error("there is no node {0}")]
    NoNode(NodeId),
    /// The client has gone.
    #[error("the question was stopped")]
    Stopped,
}

/// Names of moves and boards that another program sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// The number of the first move here; 0 stands for no move.
    pub first: u32,
    /// The names of the moves from there on.
    pub moves: Vec<String>,
    /// The board at the root.
    #[serde(default)]
    pub board: String,
}

/// Heads, summaries and lists of names unpack to at most this much together, and this many times the bytes of the file: text
/// that is worth recording is not packed tighter, and what is unpacked takes memory.
const LEAST_TEXT: usize = 1 << 20;
const TEXT_PER_BYTE: usize = 32;

/// How many blocks are kept unpacked.
const CACHED: usize = 64;

/// A recorded tree.
pub struct Tree {
    data: Data,
    head: Head,
    techniques: Vec<Technique>,
    /// How many columns its blocks have, by its version.
    columns: usize,
    summary: Option<Summary>,
    moves: Vec<String>,
    board: String,
    streams: Vec<Stream>,
    loss: Option<String>,
    cache: Mutex<Vec<Cached>>,
}

enum Data {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl std::ops::Deref for Data {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Data::Mapped(map) => map,
            Data::Owned(bytes) => bytes,
        }
    }
}

struct Cached {
    stream: u16,
    block: usize,
    nodes: Arc<Block>,
}

/// The blocks of a thread.
#[derive(Default)]
struct Stream {
    blocks: Vec<Place>,
    /// Where the recording was cut off, how many nodes were open then: the last block holds them.
    open: usize,
}

impl Stream {
    fn written(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.first + u64::from(block.count))
    }

    fn len(&self) -> u64 {
        self.written() + self.open as u64
    }
}

impl Tree {
    /// Opens a file. One that is still written, or was cut off, is read as far as it goes.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<Tree, TreeError> {
        let name = path.display().to_string();
        let io = |error| TreeError::Io { file: name.clone(), error };
        let file = std::fs::File::open(path).map_err(io)?;
        let is_file = file.metadata().map_err(io)?.is_file();
        if !is_file {
            return Err(TreeError::Foreign { file: name, reason: "it is not a plain file".into() });
        }
        // SAFETY: the map is only read. A recording only ever grows; should somebody cut the file meanwhile, the system
        // ends the program, as it would with every mapped file.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io)?;
        Tree::read(Data::Mapped(map), &name)
    }

    /// Reads a tree from the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Tree, TreeError> {
        Tree::read(Data::Owned(bytes), "the bytes")
    }

    fn read(data: Data, file: &str) -> Result<Tree, TreeError> {
        let foreign = |reason: &str| TreeError::Foreign { file: file.into(), reason: reason.into() };
        let version = MARK.len() - 3;
        let columns = match data.get(..MARK.len()) {
            None if data.is_empty() => return Err(foreign("it is empty")),
            None => return Err(foreign("it is too short")),
            Some(mark) if mark == MARK => block::COLUMNS_03,
            Some(mark) if mark == MARK_02 => block::COLUMNS_02,
            Some(mark) if mark == MARK_01 => block::COLUMNS_01,
            Some(mark) if mark[..version] == MARK[..version] => {
                let version = String::from_utf8_lossy(&mark[version..]).trim().to_string();
                return Err(foreign(&format!("its version is {version}, but 01, 02 or 03 is expected")));
            }
            Some(_) => return Err(foreign("it does not begin as one")),
        };
        let mut text_left = data.len().saturating_mul(TEXT_PER_BYTE).saturating_add(LEAST_TEXT);
        let head = block_json::<Head>(&data, MARK.len(), What::Head, &mut text_left)
            .ok_or_else(|| foreign("its head is damaged"))?;
        let techniques: Option<Vec<Technique>> = head.techniques.iter().map(|name| names::technique(name)).collect();
        let techniques = techniques.ok_or_else(|| foreign("it names techniques that this version does not know"))?;
        let mut tree = Tree {
            data,
            head,
            techniques,
            columns,
            summary: None,
            moves: Vec::new(),
            board: String::new(),
            streams: Vec::new(),
            loss: None,
            cache: Mutex::new(Vec::new()),
        };
        let places = tree.indexed().unwrap_or_else(|| tree.scanned());
        tree.sort(places, text_left);
        Ok(tree)
    }

    /// The places of all blocks as the index says, if there is a sound one.
    fn indexed(&self) -> Option<Vec<Place>> {
        // Every block has a header, which is longer than what the index says about it.
        let most = self.data.len();
        let places = Place::read_all(&block_bytes(&self.data, index_place(&self.data)?, What::Index, most)?)?;
        let is_sound = |place: &Place| usize::try_from(place.at).is_ok_and(|at| at < self.data.len());
        places.iter().all(is_sound).then_some(places)
    }

    /// The places of all blocks, from header to header.
    fn scanned(&mut self) -> Vec<Place> {
        let (mut places, mut at) = (Vec::new(), MARK.len());
        while let Some(header) = self.data.get(at..).and_then(Header::read) {
            let end = at.saturating_add(HEADER).saturating_add(header.packed as usize);
            if end > self.data.len() {
                break;
            }
            let Header { what, stream, first, count, .. } = header;
            places.push(Place { what, stream, first, count, at: at as u64 });
            at = end;
        }
        let rest = self.data.len().saturating_sub(at);
        if rest > 0 && rest != FOOTER {
            self.loss = Some(format!("the file was cut off or damaged: its last {rest} bytes cannot be read"));
        } else if !places.iter().any(|place| place.what == What::Summary) {
            self.loss = Some("the recording has not ended, or was cut off".into());
        }
        places
    }

    /// Puts blocks where they belong; those that do not follow the one before are lost.
    fn sort(&mut self, places: Vec<Place>, mut text_left: usize) {
        let mut streams: BTreeMap<u16, Stream> = BTreeMap::new();
        for place in places {
            let at = place.at as usize;
            match place.what {
                What::Nodes => {
                    let stream = streams.entry(place.stream).or_default();
                    let follows = stream.written() == place.first && (1..=block::NODES as u32).contains(&place.count);
                    if follows && place.first.checked_add(u64::from(place.count)).is_some() {
                        stream.blocks.push(place);
                    } else {
                        self.loss = Some(format!("a block of thread {} is missing", place.stream));
                    }
                }
                What::Texts => match block_json::<Texts>(&self.data, at, What::Texts, &mut text_left) {
                    Some(texts) if texts.first as usize == self.moves.len() + 1 => {
                        self.moves.extend(texts.moves);
                        self.board = if texts.board.is_empty() { std::mem::take(&mut self.board) } else { texts.board };
                    }
                    _ => self.loss = Some("some names of moves are damaged".into()),
                },
                What::Summary => self.summary = block_json(&self.data, at, What::Summary, &mut text_left),
                What::Head | What::Index => {}
            }
        }
        // Threads are numbered without a gap; one that recorded nothing has no block.
        let last = streams.keys().next_back().map_or(0, |&last| usize::from(last) + 1);
        self.streams = (0..last).map(|number| streams.remove(&(number as u16)).unwrap_or_default()).collect();
        (0..last).for_each(|number| self.close_open(number as u16));
    }

    /// Finds what was open behind the last block of a thread. A last block that is damaged is none.
    fn close_open(&mut self, number: u16) {
        let at = usize::from(number);
        while self.head.order == Order::Search
            && let Some(last) = self.streams[at].blocks.len().checked_sub(1)
        {
            if let Ok(block) = self.block(number, last) {
                self.streams[at].open = block.open.len();
                return;
            }
            self.loss = Some(format!("the last block of thread {number} is damaged"));
            self.streams[at].blocks.pop();
        }
    }

    /// Forgets the blocks of a thread from a damaged one on: what stands before it reads like a recording cut off there.
    pub fn cut_before(&mut self, error: &TreeError) {
        if let TreeError::Damaged { stream, block, .. } = *error
            && self.head.order == Order::Search
            && let Some(blocks) = self.streams.get_mut(usize::from(stream)).map(|stream| &mut stream.blocks)
        {
            blocks.truncate(block);
            self.summary = None;
            self.loss = Some(error.to_string());
            self.cache.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
            self.streams[usize::from(stream)].open = 0;
            self.close_open(stream);
        }
    }

    /// What the file says about itself.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// What the search said when it was done, if it was.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// What could not be read, if anything.
    pub fn loss(&self) -> Option<&str> {
        self.loss.as_deref()
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.data.len() as u64
    }

    /// The board at the root, where another program sent one.
    pub fn board(&self) -> &str {
        &self.board
    }

    /// The name of a move of another program.
    pub fn text(&self, mv: u32) -> Option<&str> {
        self.moves.get((mv as usize).checked_sub(1)?).map(String::as_str)
    }

    /// Whether its moves are texts that another program sent, rather than codes of a game.
    pub fn has_texts(&self) -> bool {
        !self.moves.is_empty()
    }

    /// How many nodes there are, in all threads.
    pub fn len(&self) -> u64 {
        self.streams.iter().map(Stream::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many threads were recorded.
    pub fn streams(&self) -> u16 {
        self.streams.len() as u16
    }

    /// How many nodes a thread recorded.
    pub fn stream_len(&self, stream: u16) -> u64 {
        self.streams.get(usize::from(stream)).map_or(0, Stream::len)
    }

    fn block(&self, stream: u16, number: usize) -> Result<Arc<Block>, TreeError> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = cache.iter().position(|cached| (cached.stream, cached.block) == (stream, number)) {
            // The latest stand last.
            cache[found..].rotate_left(1);
            return Ok(cache.last().expect("it was found").nodes.clone());
        }
        let nodes = Arc::new(self.unpacked(stream, number)?);
        if cache.len() == CACHED {
            cache.remove(0);
        }
        cache.push(Cached { stream, block: number, nodes: nodes.clone() });
        Ok(nodes)
    }

    fn unpacked(&self, stream: u16, number: usize) -> Result<Block, TreeError> {
        let place = &self.streams[usize::from(stream)].blocks[number];
        let unpacked = || {
            let bytes = self.data.get(usize::try_from(place.at).ok()?..)?;
            let header = Header::read(bytes).filter(|header| header.what == What::Nodes)?;
            let packed = bytes.get(HEADER..HEADER.checked_add(header.packed as usize)?)?;
            let mut block = block::decode(&header.unpack(packed, block::MOST_BYTES)?, &self.techniques, self.columns)?;
            block.open = closed(&block.open);
            let has_links = block.links.len() == block.nodes.len();
            let is_whole = block.nodes.len() == place.count as usize;
            (is_whole && has_links == (self.head.order == Order::Breadth)).then_some(block)
        };
        unpacked().ok_or(TreeError::Damaged { stream, block: number, nodes: place.first })
    }

    /// Where a node stands: its block, and its place there; `None` for one that only the end of the recording closed.
    fn find(&self, id: NodeId) -> Result<Option<(usize, usize)>, TreeError> {
        let stream = self.streams.get(usize::from(id.stream)).filter(|stream| id.index < stream.len());
        let stream = stream.ok_or(TreeError::NoNode(id))?;
        if id.index >= stream.written() {
            return Ok(None);
        }
        let block = stream.blocks.partition_point(|block| block.first <= id.index) - 1;
        Ok(Some((block, (id.index - stream.blocks[block].first) as usize)))
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Result<Node, TreeError> {
        Ok(match self.find(id)? {
            Some((block, place)) => self.block(id.stream, block)?.nodes[place],
            None => {
                let stream = &self.streams[usize::from(id.stream)];
                self.block(id.stream, stream.blocks.len() - 1)?.open[(id.index - stream.written()) as usize]
            }
        })
    }

    fn link(&self, id: NodeId) -> Result<Link, TreeError> {
        let (block, place) = self.find(id)?.ok_or(TreeError::NoNode(id))?;
        Ok(self.block(id.stream, block)?.links[place])
    }

    /// The searches of the root, in the order of the search: iterations, and again where a window was too narrow.
    pub fn roots(&self, stream: u16) -> Result<Vec<NodeId>, TreeError> {
        match self.head.order {
            Order::Search => self.walk_back(stream, 0, self.stream_len(stream)),
            Order::Breadth => {
                let mut roots = Vec::new();
                for index in 0..self.stream_len(stream) {
                    let id = NodeId { stream, index };
                    if self.link(id)?.parent.is_some() {
                        break;
                    }
                    roots.push(id);
                }
                Ok(roots)
            }
        }
    }

    /// The children of a node, in the order of the search.
    pub fn children(&self, id: NodeId) -> Result<Vec<NodeId>, TreeError> {
        match self.head.order {
            Order::Search => {
                let records = self.node(id)?.records;
                let first = (id.index + 1).checked_sub(records).ok_or_else(|| self.nonsense(id))?;
                self.walk_back(id.stream, first, id.index)
            }
            Order::Breadth => {
                let Link { first_child, children, .. } = self.link(id)?;
                let end = first_child.checked_add(children).filter(|&end| end <= self.stream_len(id.stream));
                let end = end.filter(|_| children == 0 || first_child > id.index).ok_or_else(|| self.nonsense(id))?;
                Ok((first_child..end).map(|index| NodeId { stream: id.stream, index }).collect())
            }
        }
    }

    /// The nodes that follow each other from `first` to `end` and lie in no other of them.
    fn walk_back(&self, stream: u16, first: u64, end: u64) -> Result<Vec<NodeId>, TreeError> {
        let (mut found, mut at) = (Vec::new(), end);
        while at > first {
            let id = NodeId { stream, index: at - 1 };
            let records = self.node(id)?.records;
            at = at.checked_sub(records).filter(|&at| at >= first && records > 0).ok_or_else(|| self.nonsense(id))?;
            found.push(id);
        }
        found.reverse();
        Ok(found)
    }

    /// The counts of a node do not fit its neighbours'.
    fn nonsense(&self, id: NodeId) -> TreeError {
        // Where the end of the recording was made up, the last block said so.
        let last = self.streams.get(usize::from(id.stream)).map_or(0, |stream| stream.blocks.len().saturating_sub(1));
        let block = self.find(id).ok().flatten().map_or(last, |(block, _)| block);
        TreeError::Damaged { stream: id.stream, block, nodes: id.index }
    }

    /// The nodes from the root down to a node, itself included.
    pub fn line(&self, id: NodeId) -> Result<Vec<NodeId>, TreeError> {
        if self.head.order == Order::Breadth {
            let mut line = vec![id];
            loop {
                let last = *line.last().expect("it has one");
                match self.link(last)?.parent {
                    None => break,
                    Some(parent) if parent >= last.index => return Err(self.nonsense(last)),
                    Some(index) => line.push(NodeId { stream: id.stream, index }),
                }
            }
            line.reverse();
            return Ok(line);
        }
        let mut line = Vec::new();
        let mut family = self.roots(id.stream)?;
        loop {
            // The first that does not end before the node holds it.
            let place = family.partition_point(|each| each.index < id.index);
            let holder = *family.get(place).ok_or(TreeError::NoNode(id))?;
            line.push(holder);
            if holder == id {
                return Ok(line);
            }
            family = self.children(holder)?;
        }
    }

    /// Shows every node to `visit`, each before its children. In the order of the search the last come first. A signal ends
    /// it early, with an error.
    pub fn scan(&self, stop: &Signal, mut visit: impl FnMut(&Visit)) -> Result<(), TreeError> {
        // A block is read soon; what is asked of its nodes may take long.
        let mut visit = |seen: &Visit| {
            if !stop.is_stopped() {
                visit(seen);
            }
        };
        (0..self.streams()).try_for_each(|stream| self.scan_stream(stream, stop, &mut visit))
    }

    fn scan_stream(&self, number: u16, stop: &Signal, visit: &mut impl FnMut(&Visit)) -> Result<(), TreeError> {
        let stream = &self.streams[usize::from(number)];
        let mut scan = Scan { tree: self, stream: number, line: Vec::new(), line_starts: Vec::new() };
        let go_on = || if stop.is_stopped() { Err(TreeError::Stopped) } else { Ok(()) };
        match self.head.order {
            Order::Search => {
                for (at, place) in stream.blocks.iter().enumerate().rev() {
                    let block = self.unpacked(number, at)?;
                    if at + 1 == stream.blocks.len() {
                        scan.back(stream.written(), &block.open, visit)?;
                    }
                    scan.back(place.first, &block.nodes, visit)?;
                    go_on()?;
                }
            }
            Order::Breadth => {
                for block in 0..stream.blocks.len() {
                    let Block { nodes, links, .. } = self.unpacked(number, block)?;
                    for ((index, node), link) in (stream.blocks[block].first..).zip(&nodes).zip(&links) {
                        let above = link.parent.filter(|&parent| parent < index);
                        let above = above.map_or(Above::Nothing, Above::Link);
                        visit(&Visit { tree: self, id: NodeId { stream: number, index }, node, above });
                    }
                    go_on()?;
                }
            }
        }
        go_on()
    }

    /// Follows the search of a thread: every node when it is entered and when it is left.
    pub fn replay(&self, stream: u16) -> Result<Replay<'_>, TreeError> {
        let waiting = self.roots(stream)?.into_iter().rev().map(|id| (id, None)).collect();
        Ok(Replay { tree: self, waiting, open: 0 })
    }
}

/// A step of a search that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node is entered.
    Enter(NodeId, Node),
    /// It is left.
    Leave(NodeId, Node),
}

/// The steps of a search, in its order.
pub struct Replay<'a> {
    tree: &'a Tree,
    /// What comes next, the first last: nodes to enter, and nodes to leave.
    waiting: Vec<(NodeId, Option<Node>)>,
    open: usize,
}

impl Replay<'_> {
    fn enter(&mut self, id: NodeId) -> Result<Step, TreeError> {
        let node = self.tree.node(id)?;
        self.open += 1;
        if self.open > block::MOST_OPEN {
            return Err(self.tree.nonsense(id));
        }
        self.waiting.push((id, Some(node)));
        if node.records > 1 {
            self.waiting.extend(self.tree.children(id)?.into_iter().rev().map(|id| (id, None)));
        }
        Ok(Step::Enter(id, node))
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Step, TreeError>;

    fn next(&mut self) -> Option<Result<Step, TreeError>> {
        Some(match self.waiting.pop()? {
            (id, Some(node)) => {
                self.open -= 1;
                Ok(Step::Leave(id, node))
            }
            (id, None) => self.enter(id).inspect_err(|_| self.waiting.clear()),
        })
    }
}

struct Scan<'a> {
    tree: &'a Tree,
    stream: u16,
    /// The nodes above, from the root down.
    line: Vec<Node>,
    line_starts: Vec<u64>,
}

impl Scan<'_> {
    /// Visits nodes that follow each other, the last first.
    fn back(&mut self, first: u64, nodes: &[Node], visit: &mut impl FnMut(&Visit)) -> Result<(), TreeError> {
        for (place, node) in nodes.iter().enumerate().rev() {
            let index = first + place as u64;
            while self.line_starts.last().is_some_and(|&start| start > index) {
                self.line_starts.pop();
                self.line.pop();
            }
            let id = NodeId { stream: self.stream, index };
            visit(&Visit { tree: self.tree, id, node, above: Above::Line(&self.line) });
            if node.records > 1 {
                let start = (index + 1).checked_sub(node.records);
                let start = start.filter(|start| self.line_starts.last().is_none_or(|above| start >= above));
                self.line_starts.push(start.ok_or_else(|| self.tree.nonsense(id))?);
                self.line.push(*node);
            }
        }
        Ok(())
    }
}

/// A node that is being looked at, among its relatives.
pub struct Visit<'a> {
    tree: &'a Tree,
    /// Which one it is.
    pub id: NodeId,
    /// The node.
    pub node: &'a Node,
    above: Above<'a>,
}

enum Above<'a> {
    Line(&'a [Node]),
    Link(u64),
    Nothing,
}

impl<'a> Visit<'a> {
    /// The tree.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// The node `generations` above; the parent is 1 above.
    pub fn ancestor(&self, generations: usize) -> Option<Node> {
        match self.above {
            Above::Line(line) => line.len().checked_sub(generations).map(|place| line.get(place).copied())?,
            Above::Link(_) | Above::Nothing if generations == 0 => Some(*self.node),
            Above::Nothing => None,
            Above::Link(parent) => {
                let mut id = NodeId { index: parent, ..self.id };
                for _ in 1..generations {
                    let above = self.tree.link(id).ok()?.parent?;
                    id = NodeId { index: (above < id.index).then_some(above)?, ..id };
                }
                self.tree.node(id).ok()
            }
        }
    }

    /// Whether a node above fits.
    pub(crate) fn is_below(&self, fits: impl Fn(&Node) -> bool) -> bool {
        match self.above {
            Above::Line(line) => line.iter().any(fits),
            Above::Nothing => false,
            Above::Link(_) => (1..).map_while(|above| self.ancestor(above)).any(|above| fits(&above)),
        }
    }

    /// Whether there is a parent that fits.
    pub(crate) fn parent_is(&self, fits: impl Fn(&Node) -> bool) -> bool {
        match self.above {
            Above::Line(line) => line.last().is_some_and(fits),
            Above::Link(_) | Above::Nothing => self.ancestor(1).is_some_and(|parent| fits(&parent)),
        }
    }

    /// The moves that lead here, by their codes.
    pub fn moves(&self) -> Vec<u32> {
        match self.above {
            Above::Line(line) => moves(line.iter().chain([self.node])),
            Above::Link(_) | Above::Nothing => self.tree.moves_to(self.id).unwrap_or_default(),
        }
    }

    /// The root of the search that it belongs to.
    pub fn root(&self) -> Node {
        match self.above {
            Above::Line(line) => *line.first().unwrap_or(self.node),
            Above::Nothing => *self.node,
            Above::Link(_) => (1..).map_while(|above| self.ancestor(above)).last().unwrap_or(*self.node),
        }
    }
}

/// Open nodes, from the root down, as nodes that were stopped, in the order in which they are left.
fn closed(open: &[Node]) -> Vec<Node> {
    let grow = |(deeper, node): (usize, &Node)| {
        let records = node.records.saturating_add(deeper as u64);
        Node { records, nodes: node.nodes.max(records), ..*node }
    };
    open.iter().rev().enumerate().map(grow).collect()
}

/// The document in the block at `at`, if it is there and whole, and unpacks to no more than what is left for text.
fn block_json<T: DeserializeOwned>(data: &[u8], at: usize, what: What, text_left: &mut usize) -> Option<T> {
    let bytes = block_bytes(data, at, what, *text_left)?;
    *text_left -= bytes.len();
    serde_json::from_slice(&bytes).ok()
}

/// What the block at `at` holds, if it is there and whole, and unpacks to at most `most` bytes.
fn block_bytes(data: &[u8], at: usize, what: What, most: usize) -> Option<Vec<u8>> {
    let bytes = data.get(at..)?;
    let header = Header::read(bytes).filter(|header| header.what == what)?;
    let packed = bytes.get(HEADER..HEADER.checked_add(header.packed as usize)?)?;
    header.unpack(packed, most)
}
