//! HTTP over a medsift index: the JSON API and the search page.
//!
//! | route | answer |
//! |---|---|
//! | `GET /health` | whether the process lives; never waits for a search |
//! | `GET /v1/search`, `POST /v1/search` | hits as JSON |
//! | `GET /v1/articles/{id}` | everything stored about one article |
//! | `GET /v1/stats` | what the index holds and costs |
//! | `GET /`, `GET /articles/{id}` | the same for people |
//!
//! Handlers are asynchronous and do nothing but read requests and write
//! responses. Everything that computes (encoding, retrieval, rendering) runs
//! as a job on a pool of its own with a bounded queue, so that a burst of
//! searches can neither starve the health check nor pile up without end: what
//! does not fit is refused at once with 503 and `Retry-After`.
#![deny(unsafe_code)]

mod api;
mod config;
mod drain;
mod error;
mod listen;
mod middleware;
mod page;
mod params;
mod pool;
mod routes;
mod search;
mod state;
mod streamed;

pub use config::ServerConfig;
pub use listen::{bind, serve};
