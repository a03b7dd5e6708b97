//! The files of the page, which are part of the program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

#[derive(rust_embed::Embed)]
#[folder = "page/"]
struct Assets;

/// A file of the page. Nothing outside it has a name here.
pub(crate) fn file(path: &str) -> Response {
    let path = if path.is_empty() { "index.html" } else { path };
    match Assets::get(path) {
        Some(file) => ([(header::CONTENT_TYPE, kind(path))], file.data.into_owned()).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
