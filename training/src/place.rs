//! Where a training computes.

use candle_core::Device;
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a training computes: `cpu`, `cuda`, `cuda:1`, or `cpu-tensors`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Place {
    /// This processor, with kernels of its own.
    #[default]
    Cpu,
    /// This processor, with the tensor operations that other devices use:
    /// slow, and there to compare with.
    CpuTensors,
    /// A graphics processor, by its number.
    Cuda(usize),
}

impl Place {
    /// Opens the device.
    ///
    /// # Errors
    /// When it is not there, or when this program was built without it.
    pub fn device(self) -> Result<Device> {
        match self {
            Self::Cpu | Self::CpuTensors => Ok(Device::Cpu),
            Self::Cuda(_) if !cfg!(feature = "cuda") => Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "`device = \"{self}\"`: this medsift was built without CUDA; build it with \
                     `--features cuda` where the CUDA toolkit is installed, or set \
                     `device = \"cpu\"`"
                ),
            )),
            Self::Cuda(number) => Device::new_cuda(number).map_err(|error| {
                Error::new(
                    ErrorKind::Incompatible,
                    format!("cannot open the device {self}: {error}"),
                )
            }),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::CpuTensors => f.write_str("cpu-tensors"),
            Self::Cuda(0) => f.write_str("cuda"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let place = match text.split_once(':') {
            None => match &*text {
                "cpu" => Some(Self::Cpu),
                "cpu-tensors" => Some(Self::CpuTensors),
                "cuda" => Some(Self::Cuda(0)),
                _ => None,
            },
            Some(("cuda", number)) => number.parse().ok().map(Self::Cuda),
            Some(_) => None,
        };
        place.ok_or_else(|| {
            format!("`{text}` is no device: cpu, cpu-tensors, cuda, or cuda:NUMBER are")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_and_read_back() {
        for (text, place) in [
            ("cpu", Place::Cpu),
            ("cpu-tensors", Place::CpuTensors),
            ("cuda", Place::Cuda(0)),
            ("cuda:3", Place::Cuda(3)),
        ] {
            assert_eq!(Place::try_from(text.to_owned()), Ok(place));
            assert_eq!(place.to_string(), text);
        }
        for text in ["gpu", "cuda:x", "cpu:0", ""] {
            assert!(Place::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn what_was_not_built_is_said() {
        let error = Place::Cuda(0).device().unwrap_err();
        assert!(error.to_string().contains("--features cuda"), "{error}");
    }
}
