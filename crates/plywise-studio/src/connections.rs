//! The connections of browsers: not more than the system has handles for, and none that is only held open. Clients that take
//! their time, send more than they read, or come in great numbers hold up no browser that was let in.

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::{Sleep, sleep};

/// How many connections there are at once; a browser opens six.
const CONNECTIONS: usize = 256;
/// How many of them may be those of strangers. When another one comes, the oldest goes.
const STRANGERS: usize = 64;
/// How long a connection waits for a whole request, and for a client that reads none of the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a stranger may stay.
const VISIT: Duration = Duration::from_secs(10);
/// How long no connection is accepted after the system refused one.
const PAUSE: Duration = Duration::from_millis(100);
/// How much of a connection is held in memory each way. No request is longer.
const BUFFER: usize = 64 << 10;

/// Somebody at the other end of a connection: a stranger until a request of theirs passes the guard.
#[derive(Default)]
pub(crate) struct Guest {
    is_known: AtomicBool,
}

impl Guest {
    /// One of their requests has passed the guard.
    pub(crate) fn welcome(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    /// Waits until a stranger has been here for too long.
    async fn outstay(&self) {
        sleep(VISIT).await;
        if self.is_known() {
            std::future::pending::<()>().await;
        }
    }
}

/// Answers requests for as long as it is awaited.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut strangers: VecDeque<(Arc<Guest>, AbortHandle)> = VecDeque::new();
    loop {
        let place = places.clone().acquire_owned().await.expect("the places are never closed");
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let guest = Arc::new(Guest::default());
        let (router, visitor) = (router.clone(), guest.clone());
        let task = tokio::spawn(async move {
            tokio::select! {
                () = answer(stream, router, visitor.clone()) => {}
                () = visitor.outstay() => {}
            }
            drop(place);
        });
        strangers.retain(|(guest, task)| !guest.is_known() && !task.is_finished());
        if strangers.len() >= STRANGERS
            && let Some((_, oldest)) = strangers.pop_front()
        {
            oldest.abort();
        }
        strangers.push_back((guest, task.abort_handle()));
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, router: Router, guest: Arc<Guest>) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(guest.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(BUFFER);
    // A connection that breaks concerns no other.
    let _ = http.serve_connection(TokioIo::new(Patient { stream, waiting: None }), service).await;
}

/// A stream that fails when its client reads nothing for a while.
struct Patient {
    stream: TcpStream,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// What came of an attempt to write, or that it has been tried for too long.
    fn judge<T>(&mut self, context: &mut Context, tried: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.waiting = None;
            return tried;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        waiting.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, tried)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, tried)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, tried)
    }
}
