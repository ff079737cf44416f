//! A part of many examples or queries.

use crate::data::random::generator;
use rand::seq::SliceRandom;

/// At most `limit` of them, drawn with the seed and left in their order.
pub fn draw<T>(examples: Vec<T>, limit: usize, seed: u64) -> Vec<T> {
    let count = examples.len();
    if limit >= count {
        return examples;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let (chosen, _) = order.partial_shuffle(&mut generator(seed, "draw", &[]), limit);
    let mut keep = vec![false; count];
    for &mut at in chosen {
        keep[at] = true;
    }
    let kept = examples.into_iter().zip(keep);
    kept.filter_map(|(example, kept)| kept.then_some(example))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::Example;
    use crate::example::Label;

    #[test]
    fn a_draw_is_a_part_in_order_and_the_same_for_a_seed() {
        let examples: Vec<Example> = (0..50)
            .map(|number| Example {
                texts: vec![format!("{number:02}").into()],
                label: Label::None,
            })
            .collect();
        let drawn = draw(examples.clone(), 20, 1);
        assert_eq!(drawn.len(), 20);
        assert!(drawn.is_sorted_by(|a, b| a.texts[0] < b.texts[0]));
        assert_eq!(drawn, draw(examples.clone(), 20, 1));
        assert_ne!(drawn, draw(examples.clone(), 20, 2));
        assert_eq!(draw(examples.clone(), 50, 1), examples);
    }
}
