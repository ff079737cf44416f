//! A schema as text, as the documentation and the golden file have it.

use arrow::datatypes::{DataType, Field, Schema};
use std::fmt::Write;

/// A line a column, `?` behind what may be null, metadata below.
pub(super) fn describe(schema: &Schema) -> String {
    let mut text = String::new();
    for field in schema.fields() {
        let _ = writeln!(text, "{}: {}", field.name(), of(field));
    }
    let mut metadata: Vec<_> = schema.metadata().iter().collect();
    metadata.sort();
    for (key, value) in metadata {
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}

fn of(field: &Field) -> String {
    let kind = match field.data_type() {
        DataType::Utf8 => "string".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::List(item) => format!("list<{}>", of(item)),
        DataType::FixedSizeList(item, width) => format!("list<{}>[{width}]", of(item)),
        DataType::Struct(fields) => {
            let fields = fields
                .iter()
                .map(|field| format!("{}: {}", field.name(), of(field)));
            format!("struct<{}>", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string().to_lowercase(),
    };
    format!("{kind}{}", if field.is_nullable() { "?" } else { "" })
}
