//! What a stage's settings mean for one parameter.

use super::StageConfig;
use medsift::encoder::parts::{LayerNames, Layout};

/// How one parameter is trained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterSettings {
    /// Factor on the learning rate of the step; 0 when frozen.
    pub factor: f64,
    /// Decoupled weight decay.
    pub weight_decay: f64,
    /// Whether it stays as it is.
    pub frozen: bool,
}

impl StageConfig {
    /// Settings of a parameter of a network with this layout.
    ///
    /// Depth counts from the top: heads have depth 0, the last layer too, and
    /// the embeddings, normalisation included, lie one below the first layer.
    /// The factor is `layer_decay` to the power of the depth, times
    /// `head_factor` for a head, times that of the last group that fits.
    pub fn parameter(&self, name: &str, layout: &Layout) -> ParameterSettings {
        let layers = layout.layers.len();
        let place = place(name, layout);
        let (depth, below) = match place {
            Place::Head => (0, false),
            Place::Layer(layer) => (layers - 1 - layer, layer < self.freeze_layers),
            Place::Embedding => (layers, self.freeze_embeddings),
        };
        let own = match place {
            Place::Head => self.head_factor,
            Place::Layer(_) | Place::Embedding => 1.0,
        };
        let decay = self
            .layer_decay
            .powi(i32::try_from(depth).unwrap_or(i32::MAX));
        let mut settings = ParameterSettings {
            factor: own * decay,
            weight_decay: if decays(name) { self.weight_decay } else { 0.0 },
            frozen: below,
        };
        if let Some(group) = self
            .groups
            .iter()
            .rev()
            .find(|group| fits(&group.parameters, name))
        {
            settings.factor *= group.factor;
            settings.weight_decay = group.weight_decay.unwrap_or(settings.weight_decay);
            settings.frozen |= group.freeze;
        }
        if settings.frozen {
            settings.factor = 0.0;
        }
        settings
    }
}

#[derive(Clone, Copy)]
enum Place {
    Embedding,
    Layer(usize),
    Head,
}

fn place(name: &str, layout: &Layout) -> Place {
    // An adapter's parameters lie where those do that they change.
    let name = name.strip_prefix("adapter.").unwrap_or(name);
    let below = |module: &String| {
        name.strip_prefix(module.as_str())
            .is_some_and(|rest| rest.starts_with('.'))
    };
    let embeddings = [&layout.words, &layout.positions, &layout.embedding_norm];
    if embeddings.into_iter().chain(&layout.token_types).any(below) {
        return Place::Embedding;
    }
    let layer = layout
        .layers
        .iter()
        .position(|names| modules(names).into_iter().any(below));
    layer.map_or(Place::Head, Place::Layer)
}

fn modules(names: &LayerNames) -> [&String; 8] {
    [
        &names.query,
        &names.key,
        &names.value,
        &names.output,
        &names.attention_norm,
        &names.widen,
        &names.narrow,
        &names.final_norm,
    ]
}

/// Biases and layer normalisation are not pulled towards 0.
fn decays(name: &str) -> bool {
    let lower = name.to_lowercase();
    !(lower.ends_with("bias") || lower.contains("layernorm") || lower.contains("layer_norm"))
}

/// Whether a name fits a pattern in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, expected) in [
            ("a.b", "a.b", true),
            ("a.b", "a.bc", false),
            ("a.*", "a.b.c", true),
            ("*.bias", "a.b.bias", true),
            ("*.bias", "a.bias.weight", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("a*a", "a", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
