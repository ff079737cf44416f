//! The server through a real listener: what programs and browsers get.

mod answer;
mod api;
mod client;
mod fixture;
mod limits;
mod page;
mod shapes;
mod stopping;
mod words_only;
