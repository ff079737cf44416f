//! Memory-mapped files and typed slices of them.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use memmap2::Mmap;
use std::fs::File;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A whole file in memory, read-only, paged in as it is touched.
#[derive(Debug, Clone)]
pub(super) struct MappedFile {
    map: Arc<Mmap>,
    path: Arc<PathBuf>,
}

impl MappedFile {
    /// Maps a file that must have this length.
    pub(super) fn open(path: &Path, bytes: u64) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let found = file
            .metadata()
            .map_err(|error| Error::io("read", path, error))?
            .len();
        if found != bytes {
            return Err(Error::corrupt(
                path,
                format_args!("it has {found} bytes instead of {bytes}; restore it or index again"),
            ));
        }
        // SAFETY: segment files are written once, synced before a commit names
        // them, and never changed: only removed, which leaves the map intact.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| Error::io("map", path, error))?;
        Ok(Self {
            map: Arc::new(map),
            path: Arc::new(path.to_owned()),
        })
    }

    /// Where the file is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's content.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// `count` numbers that begin at byte `start`.
    pub(super) fn numbers<T: Number>(&self, start: usize, count: usize) -> Result<Numbers<T>> {
        let bytes = count
            .checked_mul(size_of::<T>())
            .and_then(|length| Some(start..start.checked_add(length)?))
            .and_then(|range: Range<usize>| self.map.get(range))
            .ok_or_else(|| Error::corrupt(&self.path, "a column lies beyond the end"))?;
        let data = bytes.as_ptr().cast::<T>();
        if !data.is_aligned() {
            return Err(Error::corrupt(&self.path, "a column is not aligned"));
        }
        Ok(Numbers {
            data,
            count,
            _map: Arc::clone(&self.map),
        })
    }
}

/// A number that any four bytes are.
pub(super) trait Number: Copy + sealed::Sealed {}
impl Number for u32 {}
impl Number for f32 {}

mod sealed {
    pub(in crate::vector) trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for f32 {}
}

/// Numbers that lie in a mapped file, which stays mapped as long as they live.
#[derive(Debug, Clone)]
pub(super) struct Numbers<T> {
    data: *const T,
    count: usize,
    _map: Arc<Mmap>,
}

// SAFETY: the memory is read-only and kept mapped by `_map`.
unsafe impl<T: Number + Send> Send for Numbers<T> {}
// SAFETY: as above; nothing can be written through it.
unsafe impl<T: Number + Sync> Sync for Numbers<T> {}

impl<T: Number> Deref for Numbers<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `MappedFile::numbers` checked the range and the alignment,
        // any bit pattern is a number, and the map outlives the slice.
        unsafe { std::slice::from_raw_parts(self.data, self.count) }
    }
}

/// The bytes of numbers, for writing them.
pub(super) fn as_bytes<T: Number>(numbers: &[T]) -> &[u8] {
    // SAFETY: `u32` and `f32` have no padding, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}
