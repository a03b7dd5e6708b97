//! Who may ask: a browser on this machine that was let in by the address that the program printed.
//!
//! The token in that address moves into a cookie that scripts cannot read and other sites cannot send. A name that somebody
//! points at this machine (DNS rebinding) shows in the `Host` header, a request of another site in `Origin`.

use crate::Studio;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// What the guard knows.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) studio: Arc<Studio>,
    pub(crate) port: u16,
}

const COOKIE: &str = "plywise";

/// What every answer carries: nothing but our own scripts and styles runs on the page, and nobody may frame it.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; frame-ancestors 'none'; \
         base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Lets a request through, lets a browser in, or refuses.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.verdict(&request) {
        Verdict::Pass => next.run(request).await,
        Verdict::Enter(cookie) => {
            (StatusCode::SEE_OTHER, [(header::LOCATION, "/"), (header::SET_COOKIE, &cookie)]).into_response()
        }
        Verdict::Refuse(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

enum Verdict {
    Pass,
    /// The token is right: it becomes this cookie.
    Enter(String),
    Refuse(&'static str),
}

impl Guard {
    fn verdict(&self, request: &Request) -> Verdict {
        let headers = request.headers();
        if !self.is_ours(headers.get(header::HOST)) {
            return Verdict::Refuse("this address is not the studio's");
        }
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| !self.names().iter().any(|name| origin == format!("http://{name}").as_str())) {
            return Verdict::Refuse("another site asks");
        }
        let token = request.uri().query().and_then(|query| query.strip_prefix("token="));
        if request.uri().path() == "/" && token.is_some_and(|token| same(token, &self.studio.token)) {
            let token = &self.studio.token;
            return Verdict::Enter(format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"));
        }
        match has_cookie(headers, &self.studio.token) {
            true => Verdict::Pass,
            false => Verdict::Refuse("open the address that 'plywise studio' printed: it lets the browser in"),
        }
    }

    fn names(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
    }

    fn is_ours(&self, host: Option<&HeaderValue>) -> bool {
        host.is_some_and(|host| self.names().iter().any(|name| host == name.as_str()))
    }
}

fn has_cookie(headers: &HeaderMap, token: &str) -> bool {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.any(|(name, value)| name == COOKIE && same(value, token))
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
