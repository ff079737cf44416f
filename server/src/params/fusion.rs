use super::{Parameter, number};
use crate::error::ApiError;
use medsift::Fusion;
use serde_json::{Map, Value};

/// Share of the semantic side.
pub(super) const SEMANTIC_WEIGHT: &str = "semantic_weight";

/// Reads how the sides are fused: a method, and its numbers beside it.
pub(super) fn read(
    method: Option<&Parameter>,
    k: Option<&Parameter>,
    weight: Option<&Parameter>,
) -> Result<Option<Fusion>, ApiError> {
    let Some(method) = method else {
        return match k.or(weight) {
            Some(Parameter { place, .. }) => Err(ApiError::parameter(
                place,
                format!("{place} needs the method of the fusion beside it: rrf or weighted"),
            )),
            None => Ok(None),
        };
    };
    let name = method.value.trim();
    if !matches!(name, "rrf" | "weighted") {
        return Err(ApiError::parameter(
            &method.place,
            format!("unknown fusion {name:?}: use rrf or weighted"),
        ));
    }
    if let Some(Parameter { place, .. }) = k
        && name == "weighted"
    {
        return Err(ApiError::parameter(
            place,
            format!("{place} belongs to the fusion rrf alone"),
        ));
    }
    // Through the core's own reader, so that its defaults are the only ones.
    let mut parts = Map::from_iter([("method".to_owned(), Value::from(name))]);
    for (key, given) in [("k", k), (SEMANTIC_WEIGHT, weight)] {
        if let Some(value) = finite(given)? {
            parts.insert(key.to_owned(), value);
        }
    }
    serde_json::from_value(Value::Object(parts))
        .map(Some)
        .map_err(|_| ApiError::parameter(&method.place, "the fusion is not understood"))
}

/// JSON has no infinity and no NaN.
fn finite(given: Option<&Parameter>) -> Result<Option<Value>, ApiError> {
    match (given, number::<f32>(given, "a number")?) {
        (Some(Parameter { value, place, .. }), Some(read)) if !read.is_finite() => Err(
            ApiError::parameter(place, format!("{place} is {value}: use a finite number")),
        ),
        (_, read) => Ok(read.map(Value::from)),
    }
}
