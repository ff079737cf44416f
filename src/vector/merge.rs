//! Joins the live rows of several segments into a new one.

use super::segment::{Segment, SegmentMeta, SegmentParams};
use super::writer::SegmentWriter;
use crate::error::{Error, ErrorKind, Result};
use roaring::RoaringBitmap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;

/// Writes a new segment of the rows of others whose keys are not deleted.
///
/// # Errors
/// When the segments' dimensions differ or a key is in two of them, and
/// whatever [`SegmentWriter`] reports.
pub fn merge_segments(
    vectors_dir: &Path,
    name: &str,
    segments: &[Arc<Segment>],
    deleted: &RoaringBitmap,
    params: &SegmentParams,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<SegmentMeta> {
    let dimension = segments.first().map(|segment| segment.meta().dimension);
    let dimension = dimension
        .filter(|width| {
            segments
                .iter()
                .all(|other| other.meta().dimension == *width)
        })
        .ok_or_else(|| {
            Error::new(
                ErrorKind::Incompatible,
                "segments to be merged must be of one dimension, and at least one",
            )
        })?;
    let mut writer = SegmentWriter::create(vectors_dir, name, dimension, params)?;
    // The next row of each segment, lowest key first.
    let mut heads: BinaryHeap<Reverse<(u32, usize, u32)>> = segments
        .iter()
        .enumerate()
        .filter(|(_, segment)| segment.passages().len() > 0)
        .map(|(at, segment)| Reverse((segment.passages().key(0), at, 0)))
        .collect();
    while let Some(Reverse((key, at, row))) = heads.pop() {
        let passages = segments[at].passages();
        if !deleted.contains(key) {
            writer.push(&passages.row(row))?;
        }
        let next = row + 1;
        if next < passages.len() {
            heads.push(Reverse((passages.key(next), at, next)));
        }
    }
    writer.finish(progress)
}
