//! Faults of the tensor library as this project's errors.

use medsift::{Error, ErrorKind};

/// A fault of the device or of tensors that checked input cannot cause.
pub(crate) fn device(error: candle_core::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("training failed: {error}"))
}
