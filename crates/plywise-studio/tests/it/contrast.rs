//! The colours of the page, light and dark, against the Web Content Accessibility Guidelines 2.1, level AA.

use std::collections::HashMap;

const STYLE: &str = concat!(include_str!("../../page/style.css"), include_str!("../../page/runs.css"));

/// Text on its ground.
const TEXT: f64 = 4.5;
/// The edge of a control, the mark of the focus, a mark of colour.
const EDGE: f64 = 3.0;

/// What stands on what.
const PAIRS: [(&[&str], &[&str], f64); 8] = [
    (&["ink"], &["paper", "surface", "raised", "select", "hover", "hit", "warn-paper"], TEXT),
    (&["ink"], &["pv-soft", "cut-soft", "all-soft", "quiescence-soft", "unknown-soft"], TEXT),
    (&["ink"], &["series-5-soft", "series-6-soft"], TEXT),
    (&["series-5", "series-6"], &["surface", "raised"], EDGE),
    (&["ink-soft"], &["paper", "surface", "raised", "select", "hover", "hit"], TEXT),
    (&["error"], &["paper", "surface", "error-paper"], TEXT),
    (&["surface"], &["ink", "pv", "cut", "all", "quiescence", "unknown"], TEXT),
    (&["focus", "line-strong", "hit-edge"], &["paper", "surface", "raised", "select", "hover"], EDGE),
];

/// Red, green and blue, from 0 to 1.
type Colour = [f64; 3];

fn hex(text: &str) -> Option<Colour> {
    let number = u32::from_str_radix(text.trim().strip_prefix('#')?, 16).ok()?;
    Some([16, 8, 0].map(|shift| f64::from(number >> shift & 255) / 255.0))
}

/// The colours that have names, in one of the looks.
fn colours(is_dark: bool) -> HashMap<&'static str, Colour> {
    let mut colours = HashMap::new();
    for (name, value) in STYLE.lines().filter_map(|line| line.trim().strip_prefix("--")?.split_once(": ")) {
        let value = value.trim_end_matches(';');
        let inside = |function: &str| value.strip_prefix(function)?.strip_suffix(')');
        let pair = inside("light-dark(").and_then(|pair| pair.split_once(", "));
        if let Some(colour) = pair.and_then(|(light, dark)| hex(if is_dark { dark } else { light })) {
            colours.insert(name, colour);
        }
        if let Some(mixed) = inside("color-mix(in srgb, var(--") {
            // "pv) 22%, var(--surface)"
            let mut parts = mixed.split([')', '%', ',']);
            let (first, share) = (parts.next().unwrap(), parts.next().unwrap().trim().parse::<f64>().unwrap() / 100.0);
            let second = mixed.split("var(--").nth(1).unwrap().trim_end_matches(')');
            let (one, other): (Colour, Colour) = (colours[first], colours[second]);
            colours.insert(name, std::array::from_fn(|i| share * one[i] + (1.0 - share) * other[i]));
        }
    }
    colours
}

fn luminance(colour: Colour) -> f64 {
    let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: Colour, other: Colour) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn colours_can_be_told_apart() {
    assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
    for is_dark in [false, true] {
        let colours = colours(is_dark);
        for (marks, grounds, least) in PAIRS {
            for (mark, ground) in marks.iter().flat_map(|mark| grounds.iter().map(move |ground| (mark, ground))) {
                let found = contrast(colours[mark], colours[ground]);
                assert!(found >= least, "{mark} on {ground}, dark {is_dark}: {found:.2} is less than {least}");
            }
        }
    }
}
