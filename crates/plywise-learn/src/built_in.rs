use plywise_search::{Kept, Knowledge, Params, TableError};
use std::sync::Arc;

/// The tables that come with plywise: game, kind, text. Each says which run made it.
const TABLES: &[(&str, &str, &str)] = &[
    ("chess", "rank_cut", include_str!("../../../data/tables/chess-rank_cut.toml")),
    ("chess", "realization", include_str!("../../../data/tables/chess-realization.toml")),
    ("chess", "probcut", include_str!("../../../data/tables/chess-probcut.toml")),
    ("loa", "rank_cut", include_str!("../../../data/tables/loa-rank_cut.toml")),
    ("loa", "realization", include_str!("../../../data/tables/loa-realization.toml")),
    ("loa", "probcut", include_str!("../../../data/tables/loa-probcut.toml")),
    ("othello", "rank_cut", include_str!("../../../data/tables/othello-rank_cut.toml")),
    ("othello", "realization", include_str!("../../../data/tables/othello-realization.toml")),
    ("othello", "probcut", include_str!("../../../data/tables/othello-probcut.toml")),
    ("abalone", "rank_cut", include_str!("../../../data/tables/abalone-rank_cut.toml")),
    ("abalone", "realization", include_str!("../../../data/tables/abalone-realization.toml")),
    ("abalone", "probcut", include_str!("../../../data/tables/abalone-probcut.toml")),
];

/// The built-in tables of a game that these parameters ask for. A technique may still lack its table: see
/// [`Knowledge::missing`].
pub fn built_in(game: &str, params: &Params) -> Knowledge {
    Knowledge {
        rank_cut: params.rank_cut.on().then(|| load(game)).flatten(),
        realization: params.realization.on().then(|| load(game)).flatten(),
        probcut: params.probcut.on().then(|| load(game)).flatten(),
    }
}

fn load<T: Kept>(game: &str) -> Option<Arc<T>> {
    parse(game)?.ok().map(Arc::new)
}

fn parse<T: Kept>(game: &str) -> Option<Result<T, TableError>> {
    let (name, kind, text) = TABLES.iter().find(|(of, kind, _)| *of == game && *kind == T::KIND)?;
    Some(T::read(&format!("{name}-{kind}"), text, game).map(|(table, _)| table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_search::{ClassTable, ProbCutTable, RankTable};

    #[test]
    fn every_built_in_table_can_be_read() {
        for (game, kind, _) in TABLES {
            let readable = match *kind {
                "rank_cut" => parse::<RankTable>(game).map(|table| table.map(|_| ())),
                "realization" => parse::<ClassTable>(game).map(|table| table.map(|_| ())),
                _ => parse::<ProbCutTable>(game).map(|table| table.map(|_| ())),
            };
            assert_eq!(readable, Some(Ok(())), "{game} {kind}");
        }
    }
}
