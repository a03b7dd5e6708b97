//! Recorded trees, node by node.

use crate::objects::{PlywiseError, raised, to_python};
use plywise_cli::built_in;
use plywise_cli::embed::OpenTree;
use plywise_tree::NodeId;
use pyo3::prelude::*;
use std::path::PathBuf;

/// An open file.
#[pyclass(frozen, module = "plywise._plywise")]
pub struct Tree(OpenTree);

#[pymethods]
impl Tree {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Tree> {
        py.detach(|| OpenTree::open(&built_in(), &path)).map(Tree).map_err(raised)
    }

    /// How many nodes each thread of the search left.
    fn lengths(&self) -> Vec<u64> {
        let tree = self.0.tree();
        (0..tree.streams()).map(|stream| tree.stream_len(stream)).collect()
    }

    fn head(&self) -> (String, String, String) {
        let head = self.0.tree().head();
        (head.game.clone(), head.position.clone(), head.profile.clone())
    }

    /// Some nodes of one thread, in the order in which it left them.
    fn nodes<'py>(&self, py: Python<'py>, stream: u16, from: u64, count: u64) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let indices = from..from.saturating_add(count);
        let nodes: plywise_cli::Result<Vec<serde_json::Value>> =
            py.detach(|| indices.map(|index| self.0.node(NodeId { stream, index })).collect());
        nodes.map_err(raised)?.iter().map(|node| to_python(py, node)).collect()
    }

    fn node<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.node(parse(id)?).map_err(raised)?)
    }

    fn children(&self, id: &str) -> PyResult<Vec<String>> {
        let children = self.0.tree().children(parse(id)?);
        let children = children.map_err(|error| PlywiseError::new_err(error.to_string()))?;
        Ok(children.iter().map(NodeId::to_string).collect())
    }

    fn roots(&self) -> PyResult<Vec<String>> {
        let tree = self.0.tree();
        let mut roots = Vec::new();
        for stream in 0..tree.streams() {
            let found = tree.roots(stream).map_err(|error| PlywiseError::new_err(error.to_string()))?;
            roots.extend(found.iter().map(NodeId::to_string));
        }
        Ok(roots)
    }
}

fn parse(id: &str) -> PyResult<NodeId> {
    id.parse().map_err(|sentence: String| PlywiseError::new_err(sentence))
}
