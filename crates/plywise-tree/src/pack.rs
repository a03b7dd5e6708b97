//! A tree in breadth-first order: the children of a node stand together, so browsing reads one block for a family.

use crate::block::{self, Block, Link};
use crate::file::{Head, Order, Summary};
use crate::node::NodeId;
use crate::reader::{Tree, TreeError};
use crate::recorder::{Recorded, Recording};
use crate::{Filter, Texts};
use std::path::Path;

/// Why a tree could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// It cannot be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The new file cannot be written.
    #[error("cannot write '{file}': {error}")]
    Write {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
}

impl Tree {
    /// Writes the tree to another file in breadth-first order.
    pub fn pack(&self, path: &Path) -> Result<Recorded, PackError> {
        let write = |error| PackError::Write { file: path.display().to_string(), error };
        let head = Head { order: Order::Breadth, ..self.head().clone() };
        let recording = Recording::create(path, &head, Filter::default()).map_err(write)?;
        if self.has_texts() || !self.board().is_empty() {
            let moves = (1..).map_while(|mv| self.text(mv).map(String::from)).collect();
            recording.write_texts(&Texts { first: 1, moves, board: self.board().into() });
        }
        for stream in 0..self.streams() {
            self.pack_stream(stream, &recording)?;
        }
        recording.finish(&self.summary().cloned().unwrap_or_else(Summary::default)).map_err(write)
    }

    fn pack_stream(&self, stream: u16, recording: &Recording) -> Result<(), TreeError> {
        let mut generation: Vec<(NodeId, Option<u64>)> = self.roots(stream)?.into_iter().map(|id| (id, None)).collect();
        let (mut number, mut next_child) = (0, generation.len() as u64);
        let mut block = Block::default();
        while !generation.is_empty() {
            let mut below = Vec::new();
            for (id, parent) in generation {
                let node = self.node(id)?;
                let children = if node.records > 1 { self.children(id)? } else { Vec::new() };
                let count = children.len() as u64;
                block.nodes.push(node);
                block.links.push(Link { parent, first_child: next_child, children: count });
                below.extend(children.into_iter().map(|child| (child, Some(number))));
                next_child += count;
                number += 1;
                if block.nodes.len() == block::NODES {
                    recording.write_block(stream, number - block.nodes.len() as u64, &std::mem::take(&mut block));
                }
            }
            generation = below;
        }
        if !block.nodes.is_empty() {
            recording.write_block(stream, number - block.nodes.len() as u64, &block);
        }
        Ok(())
    }
}
