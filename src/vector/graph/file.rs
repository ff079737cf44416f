//! The file of a graph.
//!
//! Little-endian throughout. A header of [`HEADER_BYTES`] bytes, then four
//! sections, each beginning at the next multiple of 64 bytes, with zeros in
//! between; the file ends with the last section.
//!
//! | byte | what | type |
//! |---|---|---|
//! | 0 | `MEDSHNSW` | 8 bytes |
//! | 8 | format version, 1 | u32 |
//! | 12 | `m` | u32 |
//! | 16 | `ef_construction` | u32 |
//! | 20 | number of ranks | u32 |
//! | 24 | number of pairs of twins | u32 |
//! | 28 | zero | u32 |
//! | 32 | seed | u64 |
//! | 40 | points on levels 0 to 15 | 16 × u32 |
//! | 104 | zeros | 24 bytes |
//!
//! | section | content | u32s |
//! |---|---|---|
//! | base | lists of level 0, by row | rows × 2 m |
//! | upper | lists of levels 1 and up, by rank | Σ points × m |
//! | ranks | row of each rank | ranks |
//! | twins | first row and equal row, in turn | 2 × pairs |
//!
//! What ids and lists mean is said in the documentation of the module above.

use super::build::Graph;
use super::{GraphView, MAX_LEVELS};
use crate::error::{Error, ErrorKind, Result};
use crate::vector::checksum::HashedFile;
use crate::vector::mapped::{MappedFile, Numbers, as_bytes};
use crate::vector::segment::FileMeta;
use std::io::Write;
use std::path::Path;

const MAGIC: &[u8; 8] = b"MEDSHNSW";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 128;
const ALIGNMENT: usize = 64;
const COUNTS_AT: usize = 40;

impl Graph {
    /// Writes the graph to a file that must not exist yet.
    pub(in crate::vector) fn write(&self, path: &Path) -> Result<FileMeta> {
        let mut file = HashedFile::create(path)?;
        let failed = |error| Error::io("write", path, error);
        file.write_all(&self.header()).map_err(failed)?;
        let sections = [
            &self.base,
            &self.upper,
            &self.ranks,
            self.twins.as_flattened(),
        ];
        for (at, section) in sections.into_iter().enumerate() {
            let bytes = as_bytes(section);
            file.write_all(bytes).map_err(failed)?;
            if at + 1 < sections.len() {
                let gap = bytes.len().next_multiple_of(ALIGNMENT) - bytes.len();
                file.write_all(&[0; ALIGNMENT][..gap]).map_err(failed)?;
            }
        }
        file.finish()
    }

    fn header(&self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &(self.m as u32).to_le_bytes());
        put(16, &(self.ef_construction as u32).to_le_bytes());
        put(20, &(self.ranks.len() as u32).to_le_bytes());
        put(24, &(self.twins.len() as u32).to_le_bytes());
        put(32, &self.seed.to_le_bytes());
        put(COUNTS_AT, as_bytes(&self.counts));
        header
    }
}

/// A graph in a mapped file.
#[derive(Debug)]
pub(in crate::vector) struct MappedGraph {
    m: usize,
    counts: [u32; MAX_LEVELS],
    ranks: Numbers<u32>,
    base: Numbers<u32>,
    upper: Numbers<u32>,
    twins: Numbers<u32>,
}

impl MappedGraph {
    /// Finds the arrays in a file that holds the graph of `rows` passages.
    ///
    /// Reads the header only. Ids are not looked at here: a walk ignores those
    /// that lead nowhere, and [`GraphView::verify`] finds them.
    pub(in crate::vector) fn open(file: &MappedFile, rows: u32) -> Result<Self> {
        let damaged = |what: &str| Error::corrupt(file.path(), what);
        let header = file.bytes().first_chunk::<HEADER_BYTES>();
        let header = header.ok_or_else(|| damaged("it ends within its header"))?;
        if !header.starts_with(MAGIC) {
            return Err(damaged("it is not a graph"));
        }
        let number = |at: usize| {
            let bytes = header[at..].first_chunk().copied().unwrap_or_default();
            u32::from_le_bytes(bytes)
        };
        if number(8) != VERSION {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} has format {} of graphs, this program reads {VERSION}: index again",
                    file.path().display(),
                    number(8)
                ),
            ));
        }
        let m = number(12) as usize;
        let counts: [u32; MAX_LEVELS] = std::array::from_fn(|level| number(COUNTS_AT + 4 * level));
        let (ranks, twins) = (number(20) as usize, number(24) as usize);
        if counts[0] != rows {
            return Err(damaged(
                "it has another number of points than there are passages",
            ));
        }
        if !(2..=64).contains(&m)
            || !counts.is_sorted_by(|lower, upper| lower >= upper)
            || ranks != counts[1].max(u32::from(rows > 0)) as usize
        {
            return Err(damaged("its header contradicts itself"));
        }
        let upper: usize = counts[1..].iter().map(|count| *count as usize * m).sum();
        let lengths = [rows as usize * 2 * m, upper, ranks, 2 * twins];
        let mut starts = [HEADER_BYTES; 4];
        let mut end = HEADER_BYTES;
        for (start, length) in starts.iter_mut().zip(lengths) {
            *start = end.next_multiple_of(ALIGNMENT);
            end = *start + length * size_of::<u32>();
        }
        if end != file.bytes().len() {
            return Err(damaged("it has another length than its header says"));
        }
        Ok(Self {
            m,
            counts,
            base: file.numbers(starts[0], lengths[0])?,
            upper: file.numbers(starts[1], lengths[1])?,
            ranks: file.numbers(starts[2], lengths[2])?,
            twins: file.numbers(starts[3], lengths[3])?,
        })
    }

    /// Its arrays.
    pub(in crate::vector) fn view(&self) -> GraphView<'_> {
        GraphView {
            m: self.m,
            counts: &self.counts,
            ranks: &self.ranks,
            base: &self.base,
            upper: &self.upper,
            twins: &self.twins,
        }
    }
}
