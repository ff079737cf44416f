//! AdamW with decoupled weight decay, the schedule of its rate, and clipping.

mod adamw;
mod apply;
mod clip;
mod schedule;
#[cfg(test)]
mod tests;

pub use adamw::{AdamW, AdamWSettings};
pub use apply::{apply, norm_of};
pub use clip::gradient_norm;
pub use schedule::{Schedule, ScheduleKind};
