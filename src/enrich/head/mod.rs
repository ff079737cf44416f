//! Heads: a linear layer over the states of an encoder, as they lie beside it.
//!
//! A model directory may hold heads of several tasks; `docs/heads.md` describes
//! their files. What they have in common is read and written in [`files`].

mod choose;
mod files;
mod linear;
mod span;
mod text;
mod token;

pub use choose::check_name as check_head_name;
pub use span::{SpanHead, SpanHeadConfig};
pub use text::{PairRule, TextHead, TextHeadConfig, TextPooling};
pub use token::{TokenHead, TokenHeadConfig};

use crate::encoder::{Adapter, Encoder, PackedAdapter};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Makes an encoder ready for a head: states of the right size, and what the
/// head changes in it.
pub(super) fn fit(
    encoder: &Encoder,
    name: &str,
    hidden: usize,
    adapter: Option<&Adapter>,
) -> Result<Option<Arc<PackedAdapter>>> {
    if hidden != encoder.hidden() {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the head {name} is for states of {hidden} numbers, those of the encoder have {}",
                encoder.hidden()
            ),
        ));
    }
    adapter
        .map(|adapter| encoder.adapt(adapter).map(Arc::new))
        .transpose()
}
