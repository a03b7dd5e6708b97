//! Every parameter of the search, declared once.

plywise_game::parameters! {
    /// How to search. What is not a range of numbers is a group that can be switched off.
    pub struct Params;

    /// The algorithm at the root and in the tree.
    framework: Framework {
        /// 0 minimax, 1 alpha-beta, 2 principal variation search (NegaScout), 3 MTD(f).
        algorithm: 0..=3 = 2, named minimax alphabeta pvs mtdf;
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
        /// A stored value cuts only at exactly the depth it was searched to, so that the search returns the minimax value
        /// of its depth; off: greater depths count as well.
        equal_depth_only: bool = false;
        /// A stored bound that is deep enough but does not cut narrows the window.
        narrow: bool = false;
    }

    /// Enhanced transposition cutoffs: before searching, look whether a known successor already refutes the node.
    transposition_cutoffs: TranspositionCutoffs = on {
        /// The least depth in plies.
        least_depth: 1..=20 = 4;
        /// Before the null move instead of after it.
        first: bool = false;
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
        /// First the move that the table suggests.
        table_move: bool = true;
        /// Tactical moves before the quiet ones.
        tactical: bool = true;
        /// Tactical moves that lose material come last; off: they stay with the others.
        losing_last: bool = true;
        /// Tactical moves that the game values less than this stand with the quiet ones.
        least_tactical: 0..=10000 = 0;
        /// How many killer moves are remembered for each ply.
        killers: 0..=2 = 2;
        /// Killers come before tactical moves.
        killers_first: bool = false;
        /// Quiet moves by 0 generation, 1 history, 2 relative history, 3 history that only rewards.
        history: 0..=3 = 1, named generation history relative rewards;
        /// What a cut teaches history: this many times the square of the depth in plies, of 16384.
        lesson: 1..=100 = 1;
        /// What a quiet move's record as a reply to the move before counts, in percent of its history.
        replies: 0..=400 = 0;
        /// What its record after the move two plies before counts, one's own last move, in percent.
        follow_ups: 0..=400 = 0;
        /// What its record after the move four plies before counts, in percent.
        plans: 0..=400 = 0;
        /// What the record of a tactical move adds to its value or takes off, at most, in the unit of these values.
        captures: 0..=2000 = 0;
        /// What a quiet move learns that no reply could refute, in percent of the lesson that its node teaches.
        unrefuted: 0..=200 = 0;
    }

    /// Quiescence: at the horizon, tactical moves are played out before the position is evaluated.
    quiescence: Quiescence = on {
        /// The longest line of tactical moves, in plies.
        plies: 1..=64 = 64;
        /// A line ends where it is one of more than this many: the product of the moves that its plies could choose
        /// from.
        breadth: 1..=1000000000 = 10000000;
        /// Tactical moves that lose material are left out.
        leave_out_losing: bool = true;
        /// Tactical moves that cannot lift the evaluation to alpha, with so much to spare, are left out; 0: none.
        margin: 0..=2000 = 0;
        /// Values at the horizon go through the transposition table.
        table: bool = true;
        /// The values of later plies do so too, and the move that the table suggests comes first. What such a ply is worth
        /// may depend on how long its line can still become.
        table_beyond: bool = false;
        /// Right at the horizon quiet moves that give check are tried too.
        checks: bool = false;
        /// Out of check, quiet moves are left out once one move does not lose the game.
        few_evasions: bool = false;
    }

    /// A position that comes back inside the search is a draw.
    repetition: Repetition = on {}

    /// How a clock is shared out among moves. A move begins no new iteration beyond its soft limit, and breaks off at its
    /// hard limit. With a fixed depth, nodes or time for each move it does nothing.
    time: Time {
        /// The moves that the clock is shared among, where the next control is not nearer.
        moves: 2..=100 = 24;
        /// The same where moves add nothing to the clock.
        moves_without_increment: 2..=100 = 45;
        /// Moves beyond the next control that share the time up to it: what they do not need is there after the control.
        spare: 0..=10 = 1;
        /// How much of the increment a move may spend besides, in percent.
        increment: 0..=100 = 75;
        /// The soft limit of a move that looks neither hard nor easy, in percent of its share.
        usual: 10..=200 = 60;
        /// The hard limit, in percent of the share.
        longest: 100..=1000 = 400;
        /// The most that a move may take of the clock, in percent.
        most: 5..=90 = 40;
        /// The reserve, which is not planned with: a multiple of what a move loses on its way to the clock.
        reserve: 0..=100 = 5;
        /// The most that is reserved, in percent of the clock.
        most_reserved: 0..=95 = 80;
        /// How much longer the soft limit is after an iteration that changed the best move, in percent; each iteration
        /// halves it.
        change: 0..=300 = 60;
        /// The same after an iteration whose value fell below its window.
        fail_low: 0..=300 = 30;
        /// How much longer it is where the score falls, in percent at most.
        drop: 0..=300 = 60;
        /// How far the score must fall for that, in the evaluation's unit; less in proportion.
        drop_scale: 1..=10000 = 80;
        /// The soft limit where the best move took none of the nodes of the last iteration, in percent of what it would be.
        effort_none: 100..=500 = 160;
        /// The same where the best move took all of them; between the two it falls in proportion.
        effort_all: 5..=100 = 50;
        /// The first iteration whose nodes say anything.
        effort_depth: 1..=64 = 6;
        /// The soft limit of an easy move, in percent of what it would be.
        easy: 5..=100 = 60;
        /// A move is easy where it took at least this much of the nodes, in percent,
        easy_effort: 50..=100 = 92;
        /// in this many iterations in a row.
        easy_iterations: 1..=20 = 4;
    }

    /// Variety: in the opening, the evaluation is shifted at random, so that a player does not repeat its games.
    variety: Variety = off {
        /// The largest shift, in the evaluation's unit.
        spread: 1..=1000 = 15;
    }

    /// Mate-distance pruning: a line that cannot beat a win already found is not searched.
    mate_distance: MateDistance = on {}

    /// The evaluation's own solver: where it has a faster way to the exact value than searching on, it is asked.
    solver: Solver = on {}

    /// Correction history: what searches found beyond the evaluation of positions with the same structure corrects it.
    correction: Correction = off {
        /// The largest correction by one kind of structure, in the evaluation's unit.
        most: 1..=1000 = 60;
        /// How fast it learns: what a difference of one, found by a search of one ply, adds, in hundredths of 1/16384.
        rate: 1..=10000 = 200;
        /// Margins by which the evaluation exceeds beta are wider by this part of the correction, in percent.
        widen: 0..=400 = 0;
    }

    /// Reverse futility: where the evaluation exceeds beta by a margin, a shallow search would too.
    reverse_futility: ReverseFutility = off {
        /// The margin for each ply of depth, in the evaluation's unit.
        margin: 1..=2000 = 90;
        /// The greatest depth in plies.
        most_depth: 1..=20 = 6;
        /// The depth counts this many hundredths of a ply less where the evaluation rises.
        rising: 0..=200 = 0;
    }

    /// Limited razoring: where the evaluation is far below alpha, quiescence decides near the horizon.
    razoring: Razoring = off {
        /// The margin for each ply of depth, in the evaluation's unit.
        margin: 1..=5000 = 300;
        /// The greatest depth in plies.
        most_depth: 1..=6 = 3;
    }

    /// Fail-high reductions: where the evaluation reaches beta, less depth will do to confirm it.
    fail_high_reductions: FailHighReductions = off {
        /// How far beyond beta it must be, in the evaluation's unit: what a threat may be worth.
        margin: 0..=2000 = 100;
        /// What is taken off the depth, in hundredths of a ply.
        reduction: 10..=400 = 100;
        /// The least depth in plies.
        least_depth: 1..=20 = 3;
    }

    /// Null-move pruning: pass, search shallower, and cut if beta still holds.
    null_move: NullMove = off {
        /// Plies taken off the search after the pass.
        reduction: 0..=7 = 2;
        /// One ply more is taken off where much depth is left.
        adaptive: bool = true;
        /// The depth in plies beyond which the reduction grows.
        adaptivity_depth: 0..=20 = 6;
        /// The reduction is meant for much depth: where it adapts, one ply less is taken off up to the adaptivity depth.
        decremented: bool = false;
        /// Hundredths of a ply more for each ply of depth.
        growth: 0..=100 = 0;
        /// A ply more each time that the evaluation exceeds beta by so much, at most three; 0: none.
        surplus: 0..=2000 = 0;
        /// The least depth in plies.
        least_depth: 1..=20 = 2;
        /// Where a pass proves little, because having to move may hurt or because the opponent is about to win: 0 tries it all
        /// the same, 1 does not, 2 verifies a cut by a search without a pass.
        doubtful: 0..=2 = 1;
        /// Only where the evaluation reaches beta.
        evaluation_first: bool = true;
        /// Only where one good move is expected to refute the node.
        cut_nodes_only: bool = false;
    }

    /// ProbCut: a shallow search predicts that a deep one would leave the window.
    probcut: ProbCut = off {
        /// How sure the prediction must be, in hundredths of its standard deviation.
        threshold: 1..=500 = 150;
        /// How many pairs of depths are tried: 1 is ProbCut, more Multi-ProbCut.
        pairs: 1..=8 = 1;
        /// It may cut below alpha as well as above beta.
        fail_low: bool = true;
    }

    /// ProbCut on captures: where a capture reaches far beyond beta in a shallow search, the node is cut.
    capture_probcut: CaptureProbCut = off {
        /// How far beyond beta, in the evaluation's unit.
        margin: 0..=2000 = 180;
        /// The least depth in plies.
        least_depth: 2..=20 = 5;
        /// Plies taken off the shallow search, the move included.
        reduction: 1..=8 = 4;
    }

    /// Internal iterative reduction: where the table suggests no move, less depth finds one for the next time.
    internal_reduction: InternalReduction = off {
        /// The least depth in plies.
        least_depth: 1..=20 = 4;
        /// What is taken off the depth, in hundredths of a ply.
        reduction: 10..=300 = 100;
    }

    /// Multi-cut: where several moves reach beta in shallow searches, one of them will in a deep one.
    multi_cut: MultiCut = off {
        /// How many moves are searched shallowly.
        moves: 0..=31 = 10;
        /// How many of them must reach beta; 0 cuts unseen.
        cutoffs_required: 0..=10 = 3;
        /// Plies taken off these searches.
        reduction: 0..=8 = 2;
        /// The least depth in plies, at least the reduction.
        least_depth: 0..=20 = 2;
        /// In the endgame too.
        in_endgame: bool = false;
        /// A node is cut only where it already held at another node of the path.
        layered: bool = false;
        /// Only where the table remembers that the node was cut.
        remembered: bool = false;
        /// At expected all-nodes too: enhanced multi-cut.
        all_nodes: bool = false;
        /// One more of the moves must reach beta for each step of this many plies of depth; 0: none.
        caution: 0..=20 = 0;
    }

    /// Singular extension: a move that is much better than all others is searched deeper.
    singular: Singular = off {
        /// The least depth in plies.
        least_depth: 3..=20 = 6;
        /// How much better it must be for each ply of depth, in hundredths of the evaluation's unit.
        margin: 0..=2000 = 200;
        /// What its price is lowered by, in hundredths of a ply.
        extension: 10..=100 = 100;
        /// At nodes of the principal variation too.
        pv: bool = false;
        /// How much better still it must be to be extended twice, in the evaluation's unit; 0: never.
        double: 0..=1000 = 0;
        /// How often a line may be extended twice.
        most_doubles: 0..=30 = 6;
        /// Where it does not stand alone although the table says that it reaches beta, its price rises by this, in
        /// hundredths of a ply.
        negative: 0..=300 = 0;
        /// Where the other moves reach beta too, the node is cut; multi-cut need not be on.
        cut: bool = false;
    }

    /// Futility: near the horizon, a quiet move cannot lift an evaluation that is far below alpha.
    futility: Futility = off {
        /// The margin at frontier nodes, one ply above the horizon.
        frontier: 0..=5000 = 150;
        /// The margin at pre-frontier nodes, two plies above it.
        pre_frontier: 0..=5000 = 300;
        /// The margin at pre-pre-frontier nodes, three plies above it.
        pre_pre_frontier: 0..=5000 = 500;
        /// How many plies above the horizon it reaches.
        most_depth: 0..=3 = 3;
    }

    /// N-best: only the first moves of the order are searched.
    n_best: NBest = off {
        /// How many.
        moves: 1..=200 = 20;
        /// The greatest depth in plies.
        most_depth: 1..=64 = 64;
    }

    /// Late-move pruning: near the horizon, quiet moves late in the order are left out.
    late_move_pruning: LateMovePruning = off {
        /// How many moves are always searched.
        moves: 1..=50 = 4;
        /// How many more for the square of the depth in plies, in hundredths.
        growth: 0..=500 = 100;
        /// The greatest depth in plies.
        most_depth: 1..=20 = 5;
        /// The share of these moves, in percent, where the evaluation does not rise.
        falling: 10..=100 = 100;
    }

    /// History pruning: near the horizon, a quiet move with a bad record is left out.
    history_pruning: HistoryPruning = off {
        /// How bad for each ply of depth, in percent of the worst.
        threshold: 1..=100 = 15;
        /// The greatest depth in plies.
        most_depth: 1..=20 = 4;
    }

    /// Losing exchanges: near the horizon, a move that loses material where it lands is left out.
    losing_exchanges: LosingExchanges = off {
        /// How much a tactical move must lose for each ply of depth, in the evaluation's unit.
        tactical: 0..=2000 = 100;
        /// How much a quiet move must lose for each ply of depth.
        quiet: 0..=2000 = 60;
        /// The greatest depth in plies.
        most_depth: 1..=20 = 6;
    }

    /// Uncertainty cutoffs: a node that should have been refuted by now probably will not be; try elsewhere first.
    uncertainty: Uncertainty = off {
        /// The part of the moves that is looked at before, in percent.
        ratio: 1..=100 = 60;
        /// The least depth in plies: at the frontier the order says little.
        least_depth: 1..=20 = 2;
    }

    /// Fractional-ply extensions: what a move of a class costs, in hundredths of a ply.
    extensions: Extensions = off {
        /// A check: in the opening, the middlegame and the endgame.
        check: [3] 0..=200 = [50, 50, 50];
        /// The only legal move.
        one_reply: [3] 0..=200 = [50, 50, 50];
        /// Taking back.
        recapture: [3] 0..=200 = [75, 75, 75];
        /// A passed pawn close to promotion, or what its like is in another game.
        advance: [3] 0..=200 = [75, 75, 75];
        /// A move where passing would lose the game.
        threat: [3] 0..=200 = [75, 75, 75];
        /// Lines are extended up to this many times the nominal depth.
        limit: 1..=8 = 2;
        /// An only legal move is extended outside check too.
        one_reply_anywhere: bool = false;
        /// Where there is no null-move pruning, a pass is searched all the same, to see threats.
        threat_probe: bool = false;
    }

    /// Realization probability search: a move costs the more, the less likely its class is to be played.
    realization: Realization = off {
        /// The probability that costs one ply, in percent.
        constant: 1..=99 = 25;
        /// The least price, in hundredths of a ply. The search that confirms a good move costs what the cheapest class does.
        least: 10..=100 = 50;
        /// The greatest price.
        most: 100..=800 = 400;
    }

    /// The first enhancement of realization probability search: early moves are not reduced much.
    realization_cap: RealizationCap = off {
        /// How many moves are early.
        moves: 1..=50 = 5;
        /// What they cost at most, in hundredths of a ply.
        most: 50..=400 = 100;
        /// Each later move may cost so much more than the one before; 0: later moves have no cap.
        growth: 0..=400 = 0;
    }

    /// The second enhancement of realization probability search: a move that surprises is confirmed in two steps.
    realization_steps: RealizationSteps = off {
        /// The price in hundredths of a ply above which the step between is worth it.
        delta: 50..=400 = 150;
    }

    /// Late-move reductions: quiet moves late in the order are searched shallower, again where they surprise.
    late_move_reductions: LateMoveReductions = off {
        /// How many moves are searched before.
        moves: 1..=50 = 3;
        /// The least depth in plies.
        least_depth: 2..=20 = 3;
        /// The reduction at depth 1 and move 1, in hundredths of a ply.
        base: -200..=300 = 40;
        /// The greater, the slower it grows with depth and move number, in hundredths.
        divisor: 50..=1000 = 225;
        /// What the best history takes off and the worst adds, in hundredths of a ply.
        history: 0..=400 = 100;
        /// What is added where the evaluation does not rise, in hundredths of a ply.
        falling: 0..=200 = 0;
        /// What is added where one good move is expected to refute the node, in hundredths of a ply.
        cut_node: 0..=300 = 0;
        /// What is taken off at nodes of the principal variation, in hundredths of a ply.
        pv: 0..=300 = 0;
        /// What is taken off where the table says that the node stood on the principal variation.
        on_pv: 0..=300 = 0;
        /// What is added where many replies to the moves before reached beta, in hundredths of a ply.
        cutoffs: 0..=300 = 0;
        /// What is added where the move that the table suggests is tactical, in hundredths of a ply.
        tactical_table_move: 0..=300 = 0;
        /// Where the side to move is in check, too.
        in_check: bool = false;
        /// Tactical moves that lose material, too.
        losing: bool = false;
        /// A move that surprises by more than this is searched a ply deeper, in the evaluation's unit; 0: none.
        deeper: 0..=1000 = 0;
        /// A move that surprises by less than this is searched a ply shallower; 0: none.
        shallower: 0..=1000 = 0;
    }

    /// RankCut: once a better move has become unlikely, the rest is searched shallower.
    rank_cut: RankCut = off {
        /// How unlikely, in hundredths of a percent.
        threshold: 1..=10000 = 75;
        /// What the price of the rest rises by, in hundredths of a ply.
        reduction: 10..=800 = 100;
        /// How often a state must have been seen.
        least_count: 1..=1000000 = 1000;
        /// The least depth in plies.
        least_depth: 1..=20 = 7;
        /// A move that surprises is searched again at its full depth.
        confirm: bool = false;
        /// A depth at which a state was not seen often enough is judged like the next lower one; off: not at all.
        deeper: bool = true;
        /// The verdict on the rest stands until a move raises alpha; off: until a move is the best so far.
        until_alpha: bool = false;
        /// Each move is judged alone: no verdict stands for the rest. For tables of `gather rankcut --single`.
        single: bool = false;
    }

    /// Learned prices: a move costs the more, the less likely it is to raise alpha, by all that is known of it; in place
    /// of late-move reductions, RankCut and realization probability.
    learned_price: LearnedPrice = off {
        /// The probability that costs one ply, in tenths of a percent.
        even: 1..=999 = 50;
        /// What half that probability costs more, in hundredths of a ply.
        scale: 0..=400 = 80;
        /// What that grows by with each ply of depth, in percent.
        growth: 0..=100 = 0;
        /// The least price, in hundredths of a ply.
        least: 10..=100 = 100;
        /// The greatest price.
        most: 100..=2000 = 600;
        /// How many moves keep their price.
        moves: 1..=50 = 1;
        /// The least depth in plies at which a move costs more than a ply.
        least_depth: 2..=20 = 3;
        /// The table's move, tactical moves and killers, too.
        early: bool = true;
        /// Where the side to move is in check, too.
        in_check: bool = true;
        /// A move that costs more than the depth that is left is left out, in place of late-move pruning.
        leave_out: bool = true;
        /// How much more it must cost for that, in hundredths of a ply.
        spare: 0..=1000 = 0;
        /// A move that surprises by more than this is searched a ply deeper, in the evaluation's unit; 0: none.
        deeper: 0..=1000 = 0;
        /// A move that surprises by less than this is searched a ply shallower; 0: none.
        shallower: 0..=1000 = 0;
    }

    /// Exploration: at some nodes nothing is left out and every move has its full price, so that learners see what the
    /// search does not look at.
    exploration: Exploration = off {
        /// How many nodes in a thousand, by their position, their depth and the seed.
        share: 1..=1000 = 20;
    }
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
