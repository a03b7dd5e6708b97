//! What a program owes the shell: its version, completions, manual pages.

use crate::{output, plywise};

#[test]
fn the_version_tells_which_build_this_is() {
    let text = output("--version");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], concat!("plywise ", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("build: ") && lines[1].contains(std::env::consts::ARCH), "{text}");
    assert!(lines[2].starts_with("processor: ") && lines[2].contains("; the build requires "), "{text}");
    assert!(lines[3].starts_with("networks: chess with 'chess', loa with "), "{text}");
    assert_eq!(output("-V"), text);
}

#[test]
fn every_shell_completes_commands_and_games() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = output(&format!("completions {shell}"));
        for word in ["analyse", "annotate", "--movetime", "completions"] {
            assert!(script.contains(word.trim_start_matches("--")), "{shell}: {word}");
        }
    }
    assert!(output("completions bash").contains("chess loa othello abalone connect4"), "the games are offered");
    plywise("completions tcsh").assert().code(2);
}

#[test]
fn there_is_a_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let text = output(&format!("man {}/man1", folder.path().display()));
    let page = |name: &str| std::fs::read_to_string(folder.path().join("man1").join(name)).unwrap();
    let pages = std::fs::read_dir(folder.path().join("man1")).unwrap().count();
    assert!(text.starts_with(&format!("{pages} pages in ")) && pages > 30, "{text}");
    assert!(page("plywise.1").contains("plywise\\-analyse(1)"), "{}", page("plywise.1"));
    let analyse = page("plywise-analyse.1");
    assert!(analyse.contains(".TH plywise-analyse 1") && analyse.contains("movetime"), "{analyse}");
    assert!(page("plywise-learn-eval.1").contains("plywise learn eval"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    plywise(&format!("man {}/file/man1", folder.path().display())).assert().code(2);
}

#[cfg(unix)]
#[test]
fn a_link_of_the_right_name_is_an_engine() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("plywise-uci");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("plywise"), &link).unwrap();
    let run = assert_cmd::Command::new(&link).write_stdin("uci\nquit\n").assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("uciok"));
}
