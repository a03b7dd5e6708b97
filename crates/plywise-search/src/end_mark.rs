//! The last line of a file that plywise writes for itself to read: without it, the file is cut off.

/// What the last line says.
const END: &str = "# end";

/// Ends a text with the mark.
pub(crate) fn add(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text + END + "\n"
}

/// Says that a text is cut off, if it is.
pub(crate) fn check(text: &str) -> Result<(), String> {
    match text.trim_end().lines().next_back() {
        Some(END) => Ok(()),
        _ => Err(format!("it is cut off: its last line is not '{END}'")),
    }
}
