//! Bounds of numbers, as far as they hold whatever the configuration is.

use serde_json::Value;

/// Names with their least and their greatest value.
const BOUNDS: [(&str, f64, Option<f64>); 8] = [
    ("limit", 1.0, None),
    ("offset", 0.0, None),
    ("facet_limit", 1.0, None),
    ("budget", 1.0, None),
    ("dimensions", 1.0, None),
    ("fusion_k", f64::MIN_POSITIVE, None),
    ("semantic_weight", 0.0, Some(1.0)),
    ("diversity", 0.0, Some(1.0)),
];

/// Adds the bounds of a parameter to its schema.
pub(super) fn add(name: &str, schema: &mut Value) {
    let Some((_, least, greatest)) = BOUNDS.iter().find(|(known, ..)| *known == name) else {
        return;
    };
    let whole = schema["type"] == "integer";
    let number = |value: f64| match whole {
        // All of them are small.
        true => Value::from(value as i64),
        false => Value::from(value),
    };
    if whole || schema["type"] == "number" {
        if *least == f64::MIN_POSITIVE {
            schema["exclusiveMinimum"] = 0.into();
        } else {
            schema["minimum"] = number(*least);
        }
        if let Some(greatest) = greatest {
            schema["maximum"] = number(*greatest);
        }
    }
}
