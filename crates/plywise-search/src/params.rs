//! Every parameter of the search, declared once.

plywise_game::parameters! {
    /// How to search. What is not a range of numbers is a group that can be switched off.
    pub struct Params;

    /// The algorithm at the root and in the tree.
    framework: Framework {
        /// 0 minimax, 1 alpha-beta, 2 principal variation search (NegaScout), 3 MTD(f).
        algorithm: 0..=3 = 2;
    }

    /// Aspiration windows: each iteration first searches a narrow window round the last score.
    aspiration: Aspiration = on {
        /// Half the width of the first window, in the evaluation's unit.
        window: 1..=1000 = 25;
        /// The first depth, in plies, that is searched with a narrow window.
        least_depth: 2..=20 = 4;
    }

    /// The transposition table.
    table: TableUse = on {
        /// 1: a stored value cuts only at exactly the depth it was searched to, so that the search returns the minimax
        /// value of its depth; 0: greater depths count as well.
        equal_depth_only: 0..=1 = 0;
    }

    /// Enhanced transposition cutoffs: before searching, look whether a known successor already refutes the node.
    transposition_cutoffs: TranspositionCutoffs = on {
        /// The least depth in plies.
        least_depth: 1..=20 = 4;
    }

    /// Internal iterative deepening: where the table suggests no move, a shallower search finds one.
    internal_deepening: InternalDeepening = on {
        /// The least depth in plies at a node of the principal variation.
        least_depth: 2..=20 = 4;
        /// Plies taken off the inner search.
        reduction: 1..=10 = 2;
    }

    /// The order in which moves are tried.
    ordering: Ordering {
        /// 1: first the move that the table suggests.
        table_move: 0..=1 = 1;
        /// 1: winning tactical moves before the quiet ones, losing ones last.
        tactical: 0..=1 = 1;
        /// How many killer moves are remembered for each ply.
        killers: 0..=2 = 2;
        /// Quiet moves by 0 generation, 1 history, 2 relative history.
        history: 0..=2 = 1;
    }

    /// Quiescence: at the horizon, tactical moves are played out before the position is judged.
    quiescence: Quiescence = on {
        /// The longest line of tactical moves, in plies.
        plies: 1..=64 = 64;
        /// 1: tactical moves that lose material are left out.
        leave_out_losing: 0..=1 = 1;
        /// 1: values at the horizon go through the transposition table.
        table: 0..=1 = 1;
    }

    /// A position that comes back inside the search is a draw.
    repetition: Repetition = on {}

    /// Mate-distance pruning: a line that cannot beat a win already found is not searched.
    mate_distance: MateDistance = on {}
}

/// The algorithms of [`Framework::algorithm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every node with a full window: the definition, for reference.
    Minimax,
    /// Alpha-beta, fail-soft.
    AlphaBeta,
    /// Principal variation search: all moves but the first with a null window, again if they surprise.
    Pvs,
    /// A sequence of null-window searches that converges on the value (Plaat, "Research Re: search & Re-search", 1996).
    Mtdf,
}

impl Framework {
    /// The algorithm that the number stands for.
    pub const fn kind(&self) -> Algorithm {
        match self.algorithm {
            0 => Algorithm::Minimax,
            1 => Algorithm::AlphaBeta,
            2 => Algorithm::Pvs,
            _ => Algorithm::Mtdf,
        }
    }
}
