//! The pages for people: rendered here, whole without script, one style sheet
//! and one small script beside them, nothing from anywhere else.

mod answer;
pub(crate) mod article;
pub(crate) mod assets;
mod badges;
mod chips;
mod citation;
mod entities;
pub(crate) mod error;
mod facets;
mod form;
mod hit;
mod home;
pub(crate) mod html;
mod kinds;
mod language;
pub(crate) mod layout;
mod marking;
mod marks;
mod nearest;
mod number;
mod relations;
mod results;
mod rich;
mod running;
pub(crate) mod search;
mod snippet;
mod translation;

#[cfg(test)]
mod samples;
