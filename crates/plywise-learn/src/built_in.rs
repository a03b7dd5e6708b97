use plywise_search::{Kept, Knowledge, Params, TableError};
use std::sync::Arc;

/// The tables that come with plywise: game, kind, text. Each says which run made it.
const TABLES: &[(&str, &str, &str)] = &[
    ("chess", "rank_cut", include_str!("../tables/chess-rank_cut.toml")),
    ("chess", "realization", include_str!("../tables/chess-realization.toml")),
    ("chess", "probcut", include_str!("../tables/chess-probcut.toml")),
    ("loa", "rank_cut", include_str!("../tables/loa-rank_cut.toml")),
    ("loa", "realization", include_str!("../tables/loa-realization.toml")),
    ("loa", "probcut", include_str!("../tables/loa-probcut.toml")),
    ("othello", "rank_cut", include_str!("../tables/othello-rank_cut.toml")),
    ("othello", "realization", include_str!("../tables/othello-realization.toml")),
    ("othello", "probcut", include_str!("../tables/othello-probcut.toml")),
    ("abalone", "rank_cut", include_str!("../tables/abalone-rank_cut.toml")),
    ("abalone", "realization", include_str!("../tables/abalone-realization.toml")),
    ("abalone", "probcut", include_str!("../tables/abalone-probcut.toml")),
];

/// The built-in tables of a game with so many classes of moves that these parameters ask for. A technique may still lack
/// its table: see [`Knowledge::missing`].
pub fn built_in(game: &str, move_classes: usize, params: &Params) -> Knowledge {
    Knowledge {
        rank_cut: params.rank_cut.on().then(|| load(game, move_classes)).flatten(),
        realization: params.realization.on().then(|| load(game, move_classes)).flatten(),
        probcut: params.probcut.on().then(|| load(game, move_classes)).flatten(),
    }
}

fn load<T: Kept>(game: &str, move_classes: usize) -> Option<Arc<T>> {
    parse(game, move_classes)?.ok().map(Arc::new)
}

fn parse<T: Kept>(game: &str, move_classes: usize) -> Option<Result<T, TableError>> {
    let (name, kind, text) = TABLES.iter().find(|(of, kind, _)| *of == game && *kind == T::KIND)?;
    Some(T::read(&format!("{name}-{kind}"), text, game, move_classes).map(|(table, _)| table))
}
