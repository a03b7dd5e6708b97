//! A toy engine for Connect Four over UCI, as an author's repository has it: it plays the first column of an order that
//! is not full.

use std::io::{BufRead, Write, stdin, stdout};

include!("strength.rs");

fn main() {
    if std::env::args().nth(1).as_deref() == Some("bench") {
        std::thread::sleep(std::time::Duration::from_millis(BENCH_MS));
        println!("Nodes searched: {BENCH}");
        return;
    }
    let mut heights = [0; 7];
    let mut margin = MARGIN;
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!("option name Margin type spin default {MARGIN} min 0 max 100\nuciok"),
            ["isready"] => println!("readyok"),
            ["setoption", "name", "Margin", "value", value] => margin = value.parse().unwrap_or(MARGIN),
            ["position", "startpos", ..] => {
                heights = [0; 7];
                let moves = words.iter().skip_while(|word| **word != "moves").skip(1);
                moves.for_each(|word| heights[usize::from(word.as_bytes()[0] - b'a')] += 1);
            }
            ["go", ..] => {
                std::thread::sleep(std::time::Duration::from_millis(MOVE_MS));
                let order = if margin > 50 { [3, 2, 4, 1, 5, 0, 6] } else { [0, 1, 2, 3, 4, 5, 6] };
                let column: usize = order.into_iter().find(|&column| heights[column] < 6).unwrap_or(0);
                println!("bestmove {}", char::from(b'a' + column as u8));
            }
            ["quit"] => return,
            _ => {}
        }
        let _ = stdout().flush();
    }
}
