//! The file that an author begins with.

use super::engine_file::FILE_NAME;
use plywise_run::JobError;
use std::fs;
use std::path::Path;

/// How a project is built and run.
struct Guess {
    build: String,
    run: String,
}

/// The text of a `plywise-engine.toml` for a project of cargo, cmake or make, whose old version is `base`.
pub fn starter_file(folder: &Path, base: Option<&str>) -> Result<String, JobError> {
    let Guess { build, run } = guess(folder).ok_or_else(|| {
        JobError::Input(format!(
            "'{}' has no Cargo.toml, CMakeLists.txt or Makefile; docs/engine-authors.md shows how to write {FILE_NAME}",
            folder.display()
        ))
    })?;
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let (build, bench, run) = (quoted(&build), quoted(&format!("{run} bench")), quoted(&run));
    let base = match base {
        Some(base) => format!("base = {}", quoted(base)),
        None => "# base = \"main\"".to_owned(),
    };
    Ok(format!(
        "\
# How plywise builds, runs and tests this engine: docs/engine-authors.md of plywise.

[engine]
game = \"chess\"
protocol = \"uci\" # or \"cecp\"
build = {build}
run = {run}
bench = {bench} # prints the nodes searched; without a bench remove this line

[test]
{base} # what 'plywise test NEW' tests against
tc = \"8+0.08\" # or nodes = 20000, depth = 8, movetime = 100
sprt = [0, 5] # Elo: not better, better
games = 40000 # the most games
# openings = \"book.epd\" # EPD or PGN; without it plywise's own
# draw = [40, 8, 10] # from move 40, 8 moves within 10 centipawns
# resign = [4, 600] # 4 moves at -600 centipawns or worse

# [[option]] # an option that is set in every game
# name = \"Hash\"
# value = 16

# [[option]] # an option that 'plywise learn spsa' and 'plywise evolve search' tune
# name = \"NullMoveReduction\"
# min = 1
# max = 6
# start = 3
# step = 1
"
    ))
}

fn guess(folder: &Path) -> Option<Guess> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let own_name = || {
        let folder = folder.canonicalize().ok()?;
        Some(folder.file_name()?.to_string_lossy().into_owned())
    };
    if let Some(manifest) = read("Cargo.toml") {
        let name = name_of_cargo(&manifest).or_else(own_name)?;
        return Some(Guess { build: "cargo build --release".into(), run: format!("target/release/{name}") });
    }
    if let Some(lists) = read("CMakeLists.txt") {
        let name = name_of_cmake(&lists).or_else(own_name)?;
        let build = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel 2";
        return Some(Guess { build: build.into(), run: format!("build/{name}") });
    }
    ["", "src/"].into_iter().find_map(|place| {
        let names = ["GNUmakefile", "makefile", "Makefile"];
        let makefile = names.into_iter().find_map(|name| read(&format!("{place}{name}")))?;
        let name = name_of_make(&makefile).or_else(own_name)?;
        let build = if place.is_empty() { "make -j2" } else { "make -C src -j2" };
        Some(Guess { build: build.into(), run: format!("./{place}{name}") })
    })
}

/// The first program of a package of cargo.
fn name_of_cargo(manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().ok()?;
    let binary = manifest.get("bin").and_then(|binaries| binaries.get(0)?.get("name")?.as_str());
    let package = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    binary.or(package).map(str::to_owned)
}

/// The first program that CMake builds.
fn name_of_cmake(lists: &str) -> Option<String> {
    let project = || after(lists, "project(").map(str::to_owned);
    match after(lists, "add_executable(")? {
        name if name.starts_with("${") => project(),
        name => Some(name.to_owned()),
    }
}

fn after<'a>(text: &'a str, call: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(call)?;
    rest.trim_start().split([' ', ')', '\n', '\r', '\t']).next().filter(|name| !name.is_empty())
}

/// The program that a makefile has in the variable that authors use for it.
fn name_of_make(makefile: &str) -> Option<String> {
    let variable = |name: &str| {
        makefile.lines().find_map(|line| {
            let value = line.trim_start().strip_prefix(name)?.trim_start();
            let value = value.strip_prefix([':', '?']).unwrap_or(value).strip_prefix('=')?;
            let value = value.split('#').next().unwrap_or_default().trim();
            Some(value.trim_start_matches("./").to_owned()).filter(|value| !value.is_empty() && !value.contains('$'))
        })
    };
    ["EXE", "NAME", "TARGET", "BIN", "PROGRAM"].into_iter().find_map(variable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit_test::EngineFile;

    #[track_caller]
    fn check(file: &str, text: &str, build: &str, run: &str) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join(file), text).unwrap();
        let text = starter_file(folder.path(), Some("main")).unwrap();
        let read = EngineFile::read(&text).unwrap();
        let recipe = read.engine.unwrap();
        assert_eq!((recipe.build.as_str(), recipe.run.as_str()), (build, run));
        assert_eq!((recipe.bench, read.test.base.as_deref()), (Some(format!("{run} bench")), Some("main")));
    }

    #[test]
    fn projects_are_recognised() {
        check("Cargo.toml", "[package]\nname = \"toy\"\n", "cargo build --release", "target/release/toy");
        check(
            "Cargo.toml",
            "[package]\nname = \"a\"\n[[bin]]\nname = \"b\"\n",
            "cargo build --release",
            "target/release/b",
        );
        let cmake = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel 2";
        check("CMakeLists.txt", "project(x)\nadd_executable(toy main.c)\n", cmake, "build/toy");
        check("CMakeLists.txt", "project(x)\nadd_executable(${PROJECT_NAME} a.c)\n", cmake, "build/x");
        check("Makefile", "CC = gcc\nEXE ?= toy # the engine\nall:\n", "make -j2", "./toy");
        check("src/Makefile", "EXE := stock\n", "make -C src -j2", "./src/stock");
        let empty = tempfile::tempdir().unwrap();
        assert!(starter_file(empty.path(), None).unwrap_err().to_string().contains("Makefile"));
    }
}
