//! `plywise check-engine`.

use crate::plywise;
use serde_json::Value;

/// Our own engine has no fault, and nothing about it is odd. Times may run out on a busy machine, so they are long here.
#[test]
fn our_own_engine_is_sound() {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut command = plywise("check-engine --json --margin 3000 --patience 9000");
    command.arg(format!("uci:'{}' uci chess --network off --hash 1", program.display()));
    let output = command.assert().success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        (&document["sound"], &document["faults"], &document["odd"]),
        (&true.into(), &0.into(), &0.into()),
        "{document}"
    );
    assert_eq!(document["name"].as_str(), Some(concat!("plywise ", env!("CARGO_PKG_VERSION"))));
    let findings = document["findings"].as_array().unwrap();
    assert!(findings.len() > 30 && findings.iter().all(|finding| finding["verdict"] == "ok"), "{document}");
}

#[test]
fn a_fault_is_told_and_gives_an_exit_code() {
    let script = "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
        go) echo bestmove e2e5;; quit) exit;; esac; done";
    let check = |more: &str| {
        let mut command = plywise("check-engine --only");
        command.arg("first move").args(more.split_whitespace());
        command.arg(format!("name=bold,uci:sh -c '{script}'")).assert().code(1).get_output().clone()
    };
    let told = check("");
    let (text, complaint) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    let last = text.lines().last().unwrap();
    assert_eq!(last, "bold: 3 ok, 1 odd, 1 faulty, 0 skipped", "{text}");
    assert!(text.contains("first move         FAULT    illegal move: after 'go depth 1': 'e2e5' in "), "{text}");
    assert_eq!(complaint, "plywise: bold has a fault\n");
    let document: Value = serde_json::from_slice(&check("--json").stdout).unwrap();
    assert_eq!((&document["sound"], &document["faults"]), (&false.into(), &1.into()));
}

#[test]
fn what_cannot_be_checked_gets_one_sentence() {
    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(complaint.starts_with(&format!("plywise: {sentence}")), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
    };
    check("check-engine best", "'best' is no engine: write uci:COMMAND or cecp:COMMAND");
    check("check-engine uci:/no/such/engine", "cannot run '/no/such/engine': ");
    check("check-engine gtp:sh", "only engines that speak UCI or CECP are checked");
    check("check-engine uci:sh --only sound", "there is no check 'sound' for this protocol; there are option values, ");
}
