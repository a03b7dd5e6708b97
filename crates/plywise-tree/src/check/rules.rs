//! What the value of a node follows from: one rule for each way to leave it.

use super::Frame;
use crate::node::{Ended, Node};
use plywise_game::{Score, score};
use plywise_search::{End, Purpose, Technique};

/// What is wrong with the value of a node whose children are all known.
pub(super) fn broken(frame: &Frame) -> Vec<String> {
    let node = &frame.node;
    let (Ended::By(end), Some(value)) = (node.end, node.value) else { return Vec::new() };
    let verdict = match end {
        End::Moves => moves(frame, value),
        End::StandPat => stand_pat(frame, value),
        End::Evaluated => require(node.evaluation == Some(value), "its value is not its evaluation"),
        End::Draw => require(value == score::DRAW, "a draw has another value"),
        End::Over => require(frame.best == -score::INFINITY || node.is_quiescence(), "the game is over, and goes on"),
        End::Cut(technique) => cut(technique, frame, value),
    };
    verdict.err().into_iter().chain(uncertainty(frame, end).err()).collect()
}

type Verdict = Result<(), String>;

fn require(holds: bool, what: &str) -> Verdict {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// The best of its moves; or, where none reached alpha, what those that were left out could have reached.
fn moves(frame: &Frame, value: Score) -> Verdict {
    let node = &frame.node;
    let left_out = node.is_quiescence() || node.left_out.by(Technique::Futility) > 0;
    let is_hope = left_out && value > frame.best && value <= frame.window.alpha;
    let is_alone =
        node.purpose == Some(Purpose::Singular) && frame.best == -score::INFINITY && value == frame.window.alpha;
    if value == frame.best || is_hope || is_alone {
        return Ok(());
    }
    Err(format!("its value is {value}, but its moves came to {}", frame.best))
}

fn stand_pat(frame: &Frame, value: Score) -> Verdict {
    let node = &frame.node;
    require(node.is_quiescence(), "only quiescence stands pat")?;
    require(node.evaluation == Some(value), "its value is not its evaluation")?;
    require(value >= frame.window.beta, "it does not reach beta")
}

/// The rule of each technique that cuts.
fn cut(technique: Technique, frame: &Frame, value: Score) -> Verdict {
    let (node, window) = (&frame.node, frame.window);
    let reaches = || require(value >= window.beta, "it was cut below beta");
    let alone = || require(frame.nodes == 0, "it was cut after searches that could not matter");
    match technique {
        Technique::MateDistance => {
            alone()?;
            require(window.alpha >= window.beta && value == window.alpha, "a shorter win was possible")
        }
        // What the table or a solver knew is either outside the window or exact.
        Technique::Table | Technique::Solver => alone(),
        Technique::ReverseFutility => {
            alone()?;
            reaches()
        }
        Technique::Razoring => {
            require(value <= window.alpha, "razoring cut above alpha")?;
            let said = frame.probe_for(Purpose::Razoring).and_then(|probe| probe.value);
            require(said == Some(value), "its value is not what quiescence found")
        }
        Technique::NullMove => null_move(frame, value),
        Technique::ProbCut => {
            let probe = frame.probe_for(Purpose::ProbCut);
            // A bound beyond every evaluation needs no search.
            let Some(probe) = probe else { return require(value == window.beta || value == window.alpha, "no probe") };
            let high = probe.value.is_some_and(|found| found >= probe.window.beta);
            require(value == if high { window.beta } else { window.alpha }, "it does not follow from the probe")
        }
        Technique::CaptureProbCut => {
            reaches()?;
            let found = frame.probe_for(Purpose::CaptureProbCut).and_then(|probe| probe.value);
            require(found.is_some_and(|found| -found >= value), "no capture reached it")
        }
        Technique::TranspositionCutoffs => {
            require(frame.best == -score::INFINITY, "it was cut after moves")?;
            reaches()
        }
        Technique::MultiCut => {
            require(value == window.beta, "multi-cut returns beta")?;
            let asked = frame.probe.is_some_and(|probe| probe.purpose == Some(Purpose::MultiCut));
            require(!asked || frame.reached > 0, "no move reached beta")
        }
        Technique::Singular => {
            reaches()?;
            let probe = frame.probe_for(Purpose::Singular);
            let said = probe.filter(|probe| probe.value.is_some_and(|found| found >= probe.window.beta));
            require(said.is_some_and(|probe| probe.window.beta == value), "the other moves did not reach it")
        }
        _ => Err(format!("{} does not cut nodes", node.end.name())),
    }
}

/// What the pass reached, or beta where that is a win; where it was verified, the verification reached beta too.
fn null_move(frame: &Frame, value: Score) -> Verdict {
    let beta = frame.window.beta;
    require(value >= beta, "it was cut below beta")?;
    let Some(probe) = frame.probe else { return Err("there was no null move".into()) };
    match probe.purpose {
        Some(Purpose::Verification) => {
            require(probe.value.is_some_and(|found| found >= beta), "its verification failed")
        }
        Some(Purpose::NullMove) => {
            let passed = probe.value.map_or(0, |found| -found);
            let expected = if score::is_decided(passed) { beta } else { passed };
            require(passed >= beta && value == expected, "its value is not what the pass reached")
        }
        _ => Err("its last probe was no pass".into()),
    }
}

/// Whether the value is as certain as what it comes from.
fn uncertainty(frame: &Frame, end: End) -> Verdict {
    let expected = match end {
        End::Moves => frame.uncertain,
        End::Cut(Technique::NullMove) => match frame.probe {
            // The pass itself was searched before its verification.
            Some(probe) if probe.purpose == Some(Purpose::NullMove) => probe.uncertain,
            _ => return Ok(()),
        },
        End::Cut(Technique::Singular) => frame.probe.is_some_and(|probe| probe.uncertain),
        _ => false,
    };
    let what = if expected { "it is called certain, and is not" } else { "it is called uncertain without a reason" };
    require(frame.node.uncertain == expected, what)
}

impl Frame {
    fn probe_for(&self, purpose: Purpose) -> Option<Node> {
        self.probe.filter(|probe| probe.purpose == Some(purpose))
    }
}
