//! Overlapping windows of a text that is longer than the encoder reads.

use std::ops::Range;

/// Words that are read together, and those of them whose tags are taken from
/// this reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Words in the window.
    pub words: Range<usize>,
    /// Words whose tags the window decides. Those of all windows follow each
    /// other without gap or overlap.
    pub own: Range<usize>,
}

/// Cuts words into windows of at most `room` pieces, of which about `overlap`
/// are shared by neighbours. `pieces` are the pieces of each word; a word with
/// more than `room` counts as `room`, and its user cuts it there.
///
/// Each shared word belongs to the window in whose middle it lies rather, so
/// that it is read with words around it on both sides. Since scores are put
/// together word by word before anything is decoded, no entity is lost or
/// doubled at a border.
pub fn windows(pieces: &[usize], room: usize, overlap: usize) -> Vec<Window> {
    let room = room.max(1);
    let mut sums = vec![0];
    for &count in pieces {
        sums.push(sums[sums.len() - 1] + count.min(room));
    }
    let between = |from: usize, to: usize| sums[to] - sums[from];
    let mut windows: Vec<Window> = Vec::new();
    let (mut start, mut owned) = (0, 0);
    while owned < pieces.len() {
        let mut end = start;
        while end < pieces.len() && between(start, end + 1) <= room {
            end += 1;
        }
        let next = if end < pieces.len() {
            let fits =
                |from: usize| between(from, end) <= overlap && between(from, end + 1) <= room;
            (start + 1..end).find(|&from| fits(from)).unwrap_or(end)
        } else {
            end
        };
        // Half of the shared pieces on either side.
        let half = between(next, end) / 2;
        let cut = if end == pieces.len() {
            end
        } else {
            let middle = (next..end).find(|&word| between(next, word + 1) > half);
            middle.unwrap_or(end).max(owned)
        };
        windows.push(Window {
            words: start..end,
            own: owned..cut,
        });
        (start, owned) = (next, cut);
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_that_fits_is_one_window() {
        let all = |end: usize| Window {
            words: 0..end,
            own: 0..end,
        };
        assert_eq!(windows(&[1, 2, 3], 6, 2), [all(3)]);
        assert_eq!(windows(&[0, 0], 6, 2), [all(2)]);
        assert!(windows(&[], 6, 2).is_empty());
    }

    #[test]
    fn shared_words_go_to_the_window_that_has_them_in_its_middle() {
        let found = windows(&[1; 10], 6, 4);
        let window = |words, own| Window { words, own };
        assert_eq!(
            found,
            [window(0..6, 0..4), window(2..8, 4..6), window(4..10, 6..10)]
        );
    }

    proptest! {
        #[test]
        fn own_words_cover_all_and_windows_fit(
            pieces in prop::collection::vec(0usize..9, 0..60),
            room in 1usize..20,
            overlap in 0usize..25,
        ) {
            let found = windows(&pieces, room, overlap);
            let mut owned = 0;
            for window in &found {
                prop_assert_eq!(window.own.start, owned);
                owned = window.own.end;
                prop_assert!(window.words.start <= window.own.start);
                prop_assert!(window.own.end <= window.words.end);
                let held: usize = pieces[window.words.clone()].iter().map(|n| n.min(&room)).sum();
                prop_assert!(held <= room);
            }
            prop_assert_eq!(owned, pieces.len());
            for pair in found.windows(2) {
                prop_assert!(pair[0].words.end < pair[1].words.end);
                let shared = pair[1].words.start.min(pair[0].words.end)..pair[0].words.end;
                let held: usize = pieces[shared].iter().map(|n| n.min(&room)).sum();
                prop_assert!(held <= overlap);
            }
        }
    }
}
