//! The server through a real listener: what programs and browsers get.

mod api;
mod client;
mod fixture;
mod limits;
mod operations;
mod page;
mod shapes;
mod stopping;
mod words_only;
