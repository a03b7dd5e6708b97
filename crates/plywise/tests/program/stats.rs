//! `plywise stats`.

use crate::{json, output, plywise};

#[test]
fn counts_give_what_papers_and_other_programs_print() {
    // Lim & Lee 2006: 62 % and l = 0.099.
    let text = output("stats 40 74 10");
    assert!(text.contains("62.10 %") && text.contains("0.099"), "{text}");
    // fastchess's own test of the pentanomial.
    let document = json("stats 34 54 63 64 75 --sprt 0,5");
    assert_eq!(document["games"], 580);
    assert!((document["elo"].as_f64().unwrap() - 55.58).abs() < 0.01);
    assert!((document["elo_error"].as_f64().unwrap() - 27.65).abs() < 0.1);
    assert_eq!(document["pentanomial"], serde_json::json!([34, 54, 63, 64, 75]));
    assert!(document.get("wins").is_none(), "pairs do not say how their games ended");
    assert!(document["sprt"]["llr"].is_number());
    assert_eq!(json("stats 40 74 10")["wins"], 40);
}

/// One pair tells little, but how little is a number.
#[test]
fn every_result_has_an_interval() {
    for counts in ["0 0 0 1 0", "0 0 0 0 20", "0 0 3000 0 0", "1 0 0", "0 5 0"] {
        let document = json(&format!("stats {counts}"));
        for key in ["elo", "elo_error", "normalised_elo", "normalised_elo_error", "los"] {
            assert!(document[key].is_number(), "{key}: {document}");
        }
        assert!(document["elo_error"].as_f64().unwrap() > 0.0, "{document}");
        let text = output(&format!("stats {counts}"));
        assert!(text.lines().any(|line| line.starts_with("Elo ") && line.contains(" ± ")), "{text}");
    }
}

/// A player who lost every game, and one who scored 41 %.
#[test]
fn who_lost_is_not_accepted() {
    for counts in ["40 0 0 0 0 --sprt 0,240", "14 3 37 2 4 --sprt 0,250"] {
        assert_eq!(json(&format!("stats {counts}"))["sprt"]["decision"], "h0", "{counts}");
    }
}

#[test]
fn nothing_played_is_no_mistake() {
    assert!(json("stats 0 0 0")["elo"].is_null());
}

#[test]
fn bad_counts_get_one_sentence() {
    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    };
    check("stats 1 2", "three counts (W D L) or five (pairs by points 0, ½, 1, 1½, 2) are needed");
    check("stats 1 2 3 --sprt 5", "--sprt takes two Elo differences, such as --sprt 0,5");
    check("stats 1 2 3 --sprt 5,0", "the lower Elo bound of an SPRT must be below the upper one, but 5 is not below 0");
}
