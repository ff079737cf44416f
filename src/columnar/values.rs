//! From a column of whatever program wrote it to JSON values.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Float64Type, Int64Type, UInt64Type};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A column whose values can be taken one by one.
pub(super) enum Values {
    Text(ArrayRef),
    Flag(ArrayRef),
    Whole(ArrayRef),
    Natural(ArrayRef),
    Number(ArrayRef),
    List(ArrayRef, Box<Values>),
    Struct(ArrayRef, Vec<(String, Values)>),
    Null,
}

impl Values {
    /// Prepares a column.
    ///
    /// # Errors
    /// In words, where its type is none of text, numbers, flags, lists and
    /// structs of those.
    pub(super) fn new(name: &str, array: &ArrayRef) -> Result<Self, String> {
        use DataType as T;
        let to = |data_type: DataType| {
            cast(array, &data_type).map_err(|error| format!("column `{name}`: {error}"))
        };
        Ok(match array.data_type() {
            T::Null => Self::Null,
            T::Boolean => Self::Flag(array.clone()),
            T::Utf8 | T::LargeUtf8 | T::Utf8View => Self::Text(to(T::LargeUtf8)?),
            T::Int8 | T::Int16 | T::Int32 | T::Int64 => Self::Whole(to(T::Int64)?),
            T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => Self::Natural(to(T::UInt64)?),
            T::Float16 | T::Float32 | T::Float64 => Self::Number(to(T::Float64)?),
            T::Date32 | T::Date64 | T::Timestamp(..) | T::Decimal128(..) => {
                Self::Text(to(T::LargeUtf8)?)
            }
            T::Dictionary(_, inner) => return Self::new(name, &to(inner.as_ref().clone())?),
            T::List(item)
            | T::LargeList(item)
            | T::ListView(item)
            | T::LargeListView(item)
            | T::FixedSizeList(item, _) => {
                let list = to(as_list(item))?;
                let items = Self::new(name, list.as_list::<i64>().values())?;
                Self::List(list, Box::new(items))
            }
            T::Struct(fields) => {
                let children = array.as_struct().columns();
                let child = |(field, column): (&Arc<Field>, &ArrayRef)| {
                    let inner = Self::new(&format!("{name}.{}", field.name()), column)?;
                    Ok((field.name().clone(), inner))
                };
                let children = fields.iter().zip(children).map(child);
                Self::Struct(array.clone(), children.collect::<Result<_, String>>()?)
            }
            other => {
                return Err(format!(
                    "column `{name}` has the type {other}, which no column of medsift has: leave \
                     it out, or write it as text"
                ));
            }
        })
    }

    /// A value; `Null` for a null.
    pub(super) fn at(&self, row: usize) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Text(array) | Self::Flag(array) | Self::Whole(array) if array.is_null(row) => {
                Value::Null
            }
            Self::Natural(array)
            | Self::Number(array)
            | Self::List(array, _)
            | Self::Struct(array, _)
                if array.is_null(row) =>
            {
                Value::Null
            }
            Self::Text(array) => array.as_string::<i64>().value(row).into(),
            Self::Flag(array) => array.as_boolean().value(row).into(),
            Self::Whole(array) => array.as_primitive::<Int64Type>().value(row).into(),
            Self::Natural(array) => array.as_primitive::<UInt64Type>().value(row).into(),
            Self::Number(array) => array.as_primitive::<Float64Type>().value(row).into(),
            Self::List(array, items) => {
                let offsets = array.as_list::<i64>().value_offsets();
                let (start, end) = (offsets[row] as usize, offsets[row + 1] as usize);
                (start..end).map(|item| items.at(item)).collect()
            }
            Self::Struct(_, children) => {
                let entries = children
                    .iter()
                    .map(|(name, child)| (name.clone(), child.at(row)));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }
}

/// The type of a long list of the same items.
pub(super) fn as_list(item: &Arc<Field>) -> DataType {
    DataType::LargeList(item.clone())
}
