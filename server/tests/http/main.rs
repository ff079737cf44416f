//! The server through a real listener: what programs and browsers get.

mod answer;
mod api;
mod client;
mod description;
mod embeddings;
mod export;
mod fixture;
mod limits;
mod lists;
mod operations;
mod page;
mod passages;
mod shapes;
mod stopping;
mod words_only;
