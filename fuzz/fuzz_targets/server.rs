//! Whole requests of clients, to a server over the sample: whatever is asked, nothing
//! panics and no answer is a fault of the server's own.
#![no_main]

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::index::{Index, PassageMode};
use medsift::searcher::SearchSettings;
use medsift_indexer::pipeline::{self, IndexJob, IndexSettings, Silent};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// Longest answer that is read, in bytes; exports of all the sample are shorter.
const LONGEST: usize = 64 << 20;

struct Server {
    runtime: Runtime,
    app: axum::Router,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    // Of the run before there may be another state of the program.
    let folder = std::env::temp_dir().join("medsift-fuzz-index");
    let _ = std::fs::remove_dir_all(&folder);
    let model = fixtures.join("models/bert-mean");
    let encoder = Encoder::open(&model, EncoderOptions::default()).expect("the tiny model");
    let encoder = Arc::new(encoder);
    let job = IndexJob {
        index_dir: folder.clone(),
        inputs: vec![fixtures.join("sample/medsift-sample.xml")],
        encoder: Arc::clone(&encoder),
        model_location: "bert-mean".to_owned(),
        passages: PassageMode::On,
        replace: false,
        reencode: false,
        settings: IndexSettings::default(),
    };
    pipeline::run(&job, &Silent).expect("the sample is indexed");
    let settings = SearchSettings::default();
    let index = Index::open(&folder, Some(encoder), settings).expect("the index opens");
    Server {
        runtime: Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime"),
        app: medsift_server::fuzzing::app(Arc::new(index)).expect("a server"),
    }
});

// A first line `METHOD PATH`, header lines, an empty line, and the body.
fuzz_target!(|text: &str| {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let Some((method, path)) = lines.next().and_then(|line| line.split_once(' ')) else {
        return;
    };
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        if name.parse::<HeaderName>().is_ok() {
            request = request.header(name, value);
        }
    }
    // What no client could send is no request.
    let Ok(request) = request.body(Body::from(body.to_owned())) else {
        return;
    };
    let server = &*SERVER;
    server.runtime.block_on(async {
        let Ok(response) = server.app.clone().oneshot(request).await;
        let status = response.status();
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
        // A stream of events of `/mcp` has no end.
        let kind = response.headers().get("content-type");
        if kind.is_none_or(|kind| kind != "text/event-stream") {
            let _ = to_bytes(response.into_body(), LONGEST).await;
        }
    });
});
