//! The server through a real listener: what programs and browsers get.

mod annotate;
mod answer;
mod api;
mod client;
mod cursor;
mod description;
mod embeddings;
mod eutils;
mod export;
mod fixture;
mod late;
mod limits;
mod lists;
mod operations;
mod page;
mod passages;
mod reload;
mod several;
mod shapes;
mod stopping;
mod words_only;
