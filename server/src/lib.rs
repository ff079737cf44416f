//! HTTP over a medsift index: the JSON API and the search page.
//!
//! | route | answer |
//! |---|---|
//! | `GET /health`, `GET /health/live` | whether the process lives; never waits for a search |
//! | `GET /health/ready` | whether a search would be taken up now |
//! | `GET /metrics` | counts and times, for Prometheus |
//! | `GET /v1/search`, `POST /v1/search` | hits as JSON |
//! | `POST /v1/batch` | several searches at once |
//! | `GET /v1/export`, `POST /v1/export` | everything that a search finds, as a file |
//! | `GET /v1/suggest`, `POST /v1/suggest` | what somebody who types may be about to write |
//! | `GET /v1/articles`, `POST /v1/articles` | everything stored about several articles |
//! | `GET /v1/articles/{id}` | everything stored about one article, or a citation |
//! | `GET /v1/articles/{id}/similar` | the nearest articles |
//! | `GET /v1/answer`, `POST /v1/answer` | answers to a question, out of articles |
//! | `GET /v1/annotate`, `POST /v1/annotate` | entities of texts that are sent |
//! | `/mcp` | the Model Context Protocol, for assistants |
//! | `GET /v1/passages`, `POST /v1/passages` | what a language model should read for a question |
//! | `POST /v1/embeddings`, `GET /v1/models` | vectors of texts, in the shape of OpenAI |
//! | `POST /embed`, `POST /rerank`, `GET /info` | the same in that of text-embeddings-inference |
//! | `GET /v1/stats` | what the index holds and costs |
//! | `/entrez/eutils/*.fcgi` | the same index in the shape of NCBI's E-utilities |
//! | `GET /openapi.json` | all of these, described |
//! | `GET /`, `GET /articles/{id}`, `GET /api` | the same for people |
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
mod eutils;
#[cfg(fuzzing)]
pub mod fuzzing;
mod guard;
mod listen;
mod mcp;
mod metrics;
mod middleware;
mod openapi;
mod page;
mod params;
mod pool;
mod refused;
mod routes;
mod search;
mod state;
mod streamed;

pub use config::ServerConfig;
pub use guard::{KeyEntry, hash_of};
pub use listen::{bind, serve};
pub use mcp::serve_stdio;
