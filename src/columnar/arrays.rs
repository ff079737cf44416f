//! From JSON values to a column, as the schema has it.

use super::internal;
use crate::Result;
use arrow::array::{
    ArrayRef, BooleanArray, Int32Array, ListArray, StringArray, StructArray, UInt8Array,
    UInt32Array,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use serde_json::Value;
use std::sync::Arc;

/// A column of values; what is absent or of another type is a null.
pub(super) fn column(field: &Field, values: &[Option<&Value>]) -> Result<ArrayRef> {
    let values = values.iter().copied();
    let array: ArrayRef = match field.data_type() {
        DataType::Utf8 => Arc::new(values.map(|v| v?.as_str()).collect::<StringArray>()),
        DataType::Boolean => Arc::new(values.map(|v| v?.as_bool()).collect::<BooleanArray>()),
        DataType::UInt8 => Arc::new(values.map(whole::<u8>).collect::<UInt8Array>()),
        DataType::UInt32 => Arc::new(values.map(whole::<u32>).collect::<UInt32Array>()),
        DataType::Int32 => Arc::new(values.map(whole::<i32>).collect::<Int32Array>()),
        DataType::List(item) => list(item, &values.collect::<Vec<_>>())?,
        DataType::Struct(fields) => structs(fields, &values.collect::<Vec<_>>())?,
        other => return Err(internal(format!("{} is {other}", field.name()))),
    };
    Ok(array)
}

fn whole<T: TryFrom<i64>>(value: Option<&Value>) -> Option<T> {
    T::try_from(value?.as_i64()?).ok()
}

fn list(item: &FieldRef, values: &[Option<&Value>]) -> Result<ArrayRef> {
    let lists = values.iter().map(|value| value.and_then(Value::as_array));
    let lists: Vec<Option<&Vec<Value>>> = lists.collect();
    let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.map_or(0, Vec::len)));
    let nulls = NullBuffer::from_iter(lists.iter().map(Option::is_some));
    let flat: Vec<Option<&Value>> = lists.into_iter().flatten().flatten().map(Some).collect();
    let child = column(item, &flat)?;
    let array = ListArray::try_new(item.clone(), offsets, child, Some(nulls));
    Ok(Arc::new(array.map_err(internal)?))
}

fn structs(fields: &Fields, values: &[Option<&Value>]) -> Result<ArrayRef> {
    let child = |field: &FieldRef| {
        let of_field: Vec<Option<&Value>> = values
            .iter()
            .map(|value| value.and_then(|value| value.get(field.name())))
            .collect();
        column(field, &of_field)
    };
    let children = fields.iter().map(child).collect::<Result<Vec<_>>>()?;
    let nulls = NullBuffer::from_iter(values.iter().map(Option::is_some));
    // Without children the length would not be known; there are always some.
    let array = StructArray::try_new(fields.clone(), children, Some(nulls));
    Ok(Arc::new(array.map_err(internal)?))
}
