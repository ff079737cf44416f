//! Which articles a search may return.

use crate::vector::segment::Segment;
use roaring::RoaringBitmap;

/// The articles that a search may return: those that are not deleted and, where
/// there is a filter, allowed.
#[derive(Debug, Clone, Copy)]
pub(in crate::vector) struct Live<'a> {
    pub(in crate::vector) deleted: &'a RoaringBitmap,
    pub(in crate::vector) allowed: Option<&'a RoaringBitmap>,
}

/// How much of a segment is live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::vector) struct Share {
    /// Live articles, exactly.
    pub(in crate::vector) articles: u32,
    /// Their rows, estimated by the mean number of passages.
    pub(in crate::vector) rows: u32,
}

impl Live<'_> {
    /// Whether an article may be returned.
    #[inline]
    pub(in crate::vector) fn contains(&self, key: u32) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(key)) && !self.deleted.contains(key)
    }

    /// Whether every article of the segment is live.
    pub(in crate::vector) fn is_all(&self, segment: &Segment) -> bool {
        self.allowed.is_none() && self.deleted_in(segment) == 0
    }

    fn deleted_in(&self, segment: &Segment) -> u64 {
        in_segment(segment, self.deleted)
    }

    /// Counts the live articles of a segment.
    pub(in crate::vector) fn share(&self, segment: &Segment) -> Share {
        let all = segment.meta().articles;
        let articles = match self.allowed {
            None => u64::from(all).saturating_sub(self.deleted_in(segment)),
            Some(allowed) => {
                let allowed_in = in_segment(segment, allowed);
                if allowed_in == 0 || self.deleted_in(segment) == 0 {
                    allowed_in
                } else {
                    in_segment(segment, &(allowed - self.deleted))
                }
            }
        };
        let mean = f64::from(segment.meta().passages) / f64::from(all.max(1));
        Share {
            articles: articles as u32,
            rows: (articles as f64 * mean).round() as u32,
        }
    }
}

/// How many of a segment's articles a bitmap holds.
fn in_segment(segment: &Segment, bitmap: &RoaringBitmap) -> u64 {
    let (Some(first), Some(last)) = (segment.meta().min_key, segment.meta().max_key) else {
        return 0;
    };
    let within = bitmap.range_cardinality(first.0..=last.0);
    let contiguous = last.0 - first.0 == segment.meta().articles - 1;
    if within == 0 || contiguous {
        within
    } else {
        bitmap.intersection_len(segment.keys())
    }
}
