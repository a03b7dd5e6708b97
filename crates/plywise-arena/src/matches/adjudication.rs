use super::rules::{DrawRule, ResignRule, Rules};
use plywise_game::{Score, Side};

/// What the players' own scores decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adjudication {
    Draw,
    Win(Side),
}

/// Watches the scores of a game.
pub(super) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    /// Plies in a row that were scored as even.
    even: u32,
    /// For each side, its moves in a row at which it saw itself far behind, and far ahead.
    behind: [u32; 2],
    ahead: [u32; 2],
}

impl Adjudicator {
    pub(super) fn new(rules: &Rules) -> Adjudicator {
        Adjudicator { draw: rules.draw, resign: rules.resign, even: 0, behind: [0; 2], ahead: [0; 2] }
    }

    /// Takes note of a move: the game has `plies` plies now, and `side`, who played the last, scored it so. A move
    /// without a score breaks every row.
    pub(super) fn observe(&mut self, plies: usize, side: Side, score: Option<Score>) -> Option<Adjudication> {
        self.observe_draw(plies, score).or_else(|| self.observe_resignation(side, score))
    }

    fn observe_draw(&mut self, plies: usize, score: Option<Score>) -> Option<Adjudication> {
        let rule = self.draw?;
        let is_even = score.is_some_and(|score| score.unsigned_abs() <= rule.score.unsigned_abs());
        self.even = if is_even { self.even.saturating_add(1) } else { 0 };
        let is_drawn = self.even >= rule.moves.saturating_mul(2).max(1) && plies as u64 / 2 >= rule.from_move.into();
        is_drawn.then_some(Adjudication::Draw)
    }

    fn observe_resignation(&mut self, side: Side, score: Option<Score>) -> Option<Adjudication> {
        let rule = self.resign?;
        let limit = rule.score.saturating_abs();
        let row = |row: u32, holds: bool| if holds { row.saturating_add(1) } else { 0 };
        let own = side as usize;
        self.behind[own] = row(self.behind[own], score.is_some_and(|score| score <= -limit));
        self.ahead[own] = row(self.ahead[own], score.is_some_and(|score| score >= limit));
        let moves = rule.moves.max(1);
        [Side::First, Side::Second]
            .into_iter()
            .find(|&loser| {
                let winner = !loser;
                self.behind[loser as usize] >= moves && (!rule.two_sided || self.ahead[winner as usize] >= moves)
            })
            .map(|loser| Adjudication::Win(!loser))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds scores, the first player's first, and tells after which of them the game is adjudicated.
    fn check(rules: &Rules, scores: &[Option<Score>], expected: Option<(usize, Adjudication)>) {
        let mut adjudicator = Adjudicator::new(rules);
        let found = scores.iter().enumerate().find_map(|(ply, &score)| {
            let side = if ply % 2 == 0 { Side::First } else { Side::Second };
            Some((ply, adjudicator.observe(ply + 1, side, score)?))
        });
        assert_eq!(found, expected, "{scores:?}");
    }

    #[test]
    fn even_scores_draw() {
        let rules = Rules { draw: Some(DrawRule { from_move: 0, moves: 2, score: 10 }), ..Rules::default() };
        check(&rules, &[Some(10), Some(-10), Some(0), Some(3)], Some((3, Adjudication::Draw)));
        check(&rules, &[Some(0), Some(11), Some(0), Some(0)], None);
        check(&rules, &[Some(0), Some(0), None, Some(0)], None);
        let later = Rules { draw: Some(DrawRule { from_move: 3, moves: 1, score: 10 }), ..Rules::default() };
        check(&later, &[Some(0); 8], Some((5, Adjudication::Draw)));
    }

    #[test]
    fn hopeless_scores_lose() {
        let rule = ResignRule { moves: 2, score: 500, two_sided: false };
        let rules = Rules { resign: Some(rule), ..Rules::default() };
        let (bad, fine) = (Some(-500), Some(20));
        check(&rules, &[bad, fine, bad], Some((2, Adjudication::Win(Side::Second))));
        check(&rules, &[fine, bad, fine, bad], Some((3, Adjudication::Win(Side::First))));
        check(&rules, &[bad, fine, fine, fine, bad], None);
        let both = Rules { resign: Some(ResignRule { two_sided: true, ..rule }), ..Rules::default() };
        check(&both, &[bad, fine, bad, fine], None);
        check(&both, &[bad, Some(600), bad, Some(900)], Some((3, Adjudication::Win(Side::Second))));
    }

    #[test]
    fn extreme_rules_do_not_overflow() {
        let draw = DrawRule { from_move: 0, moves: 0, score: Score::MIN };
        let resign = ResignRule { moves: 0, score: Score::MIN, two_sided: false };
        let rules = Rules { draw: Some(draw), resign: Some(resign), ..Rules::default() };
        check(&rules, &[Some(Score::MIN)], Some((0, Adjudication::Draw)));
    }
}
