//! The connections of browsers: not more than the system has handles for, and none that is only held open. A client that
//! takes its time with a request holds nobody up.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How many connections there are at once; a browser opens six.
const CONNECTIONS: usize = 256;
/// How long a connection waits for a whole request. Whoever needs longer may connect again.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long nobody is let in after the system refused a connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers requests for as long as it is awaited.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = places.clone().acquire_owned().await.expect("the places are never closed");
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
            // A connection that breaks concerns nobody else.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}
