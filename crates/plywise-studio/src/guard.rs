//! Who may ask: one browser on this machine, which was let in by the address that the program printed.
//!
//! The token in that address lets one browser in, once. What that browser has from then on is a cookie that scripts cannot
//! read and other sites cannot send. Browsers send cookies to every port of a machine, so the cookie is bound to a path that
//! only the studio and its page know: a server on another port never sees it, and two studios do not overwrite each
//! other's. A name that somebody points at this machine (DNS rebinding) shows in the `Host` header; a request of another site,
//! or of another port, in `Origin` and `Sec-Fetch-Site`.

use crate::Studio;
use crate::connections::Guest;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What lets a browser in, and what it has from then on.
pub(crate) struct Keys {
    /// Stands in the address that is printed.
    token: String,
    is_used: AtomicBool,
    /// The path under which everything is served.
    pub(crate) path: String,
    /// What the browser proves itself with.
    cookie: String,
}

impl Keys {
    /// Fresh ones.
    pub(crate) fn new() -> Result<Keys, String> {
        let random = || {
            let mut bytes = [0; 16];
            getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
            Ok::<String, String>(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
        };
        Ok(Keys { token: random()?, is_used: AtomicBool::new(false), path: random()?, cookie: random()? })
    }

    /// The address that lets a browser in.
    pub(crate) fn address(&self, port: u16) -> String {
        format!("http://127.0.0.1:{port}/?token={}", self.token)
    }

    /// Whether this is the token, for the first time.
    fn enter(&self, token: &str) -> bool {
        same(token, &self.token) && !self.is_used.swap(true, Ordering::Relaxed)
    }
}

/// What the guard knows.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) studio: Arc<Studio>,
    pub(crate) port: u16,
}

const COOKIE: &str = "plywise";

/// A request that changes anything has this header. Other sites cannot send it without asking first, and are refused.
const INTENT: HeaderName = HeaderName::from_static("x-plywise");

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What every answer carries: nothing but our own scripts and styles runs on the page, no page of others may frame it, open
/// it or load parts of it.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; frame-ancestors 'none'; \
         base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The page at which browsers arrive. It leads on to the path of the studio, which it remembers: an address without a token
/// works in a browser that was let in before.
const DOOR: &str = include_str!("door.html");
const DOOR_SCRIPT: &str = include_str!("door.js");

/// Lets a request through, lets a browser in, or refuses.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let verdict = guard.verdict(&request);
    let is_known = matches!(verdict, Verdict::Pass);
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = match verdict {
        Verdict::Pass => {
            if let Some(guest) = request.extensions().get::<Arc<Guest>>() {
                guest.welcome();
            }
            next.run(request).await
        }
        Verdict::Enter => {
            let Keys { path, cookie, .. } = &guard.studio.keys;
            let cookie = format!("{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/{path}/");
            (html, [(header::SET_COOKIE, cookie)], DOOR.replace("{path}", path)).into_response()
        }
        Verdict::Door => (StatusCode::FORBIDDEN, html, DOOR.replace("{path}", "")).into_response(),
        Verdict::DoorScript => {
            ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], DOOR_SCRIPT).into_response()
        }
        Verdict::Refuse(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if !is_known {
        // Strangers get one answer for each connection.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

enum Verdict {
    Pass,
    /// The token is right, for the first time: it becomes the cookie.
    Enter,
    /// A browser that may have been let in before, and knows itself where to.
    Door,
    DoorScript,
    Refuse(&'static str),
}

impl Guard {
    fn verdict(&self, request: &Request) -> Verdict {
        let (headers, keys) = (request.headers(), &self.studio.keys);
        if !self.is_ours(headers.get(header::HOST)) {
            return Verdict::Refuse("this address is not the studio's");
        }
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| !self.names().iter().any(|name| origin == format!("http://{name}").as_str())) {
            return Verdict::Refuse("another site asks");
        }
        let path = request.uri().path();
        if path == "/" && request.method() == Method::GET {
            // A link to the door may stand anywhere: who has the token is let in, all others get an empty page.
            let token = request.uri().query().and_then(|query| query.strip_prefix("token="));
            return if token.is_some_and(|token| keys.enter(token)) { Verdict::Enter } else { Verdict::Door };
        }
        // A browser that says nothing about the site is an old one, or none.
        if headers.get(FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none") {
            return Verdict::Refuse("another site asks");
        }
        if path == "/door.js" {
            return Verdict::DoorScript;
        }
        let changes = request.method() != Method::GET && request.method() != Method::HEAD;
        if changes && !headers.contains_key(INTENT) {
            return Verdict::Refuse("a request that changes anything has the header X-Plywise");
        }
        let inner = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let is_let_in = inner.is_some_and(|(first, _)| same(first, &keys.path)) && has_cookie(headers, &keys.cookie);
        // The first page under any path may be a link of the studio before this one.
        let is_old_link = request.method() == Method::GET && inner.is_some_and(|(_, rest)| rest.is_empty());
        match (is_let_in, is_old_link) {
            (true, _) => Verdict::Pass,
            (false, true) => Verdict::Door,
            (false, false) => Verdict::Refuse(
                "open the address that 'plywise studio' printed: it lets one browser in, once. Start the studio again for \
                 another one.",
            ),
        }
    }

    fn names(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
    }

    fn is_ours(&self, host: Option<&HeaderValue>) -> bool {
        host.is_some_and(|host| self.names().iter().any(|name| host == name.as_str()))
    }
}

fn has_cookie(headers: &HeaderMap, wanted: &str) -> bool {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.any(|(name, value)| name == COOKIE && same(value, wanted))
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    let difference = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn texts_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
