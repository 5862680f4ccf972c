//! The values of a Parquet column as numbers or texts.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::record::Field;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use crate::read::npy::half;
use crate::read::numeric::number_text;

/// Values that are read from a column at a time.
const BATCH: usize = 8192;

/// What a column holds.
pub(super) enum Kind {
    /// `single`: whether single precision holds every value exactly.
    Number {
        single: bool,
    },
    Text,
    Other(String),
}

/// What a column holds, by its type.
pub(super) fn kind(column: &ColumnDescriptor) -> Kind {
    use ConvertedType as Converted;
    if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
        return Kind::Other("nested values".into());
    }
    let is_time = matches!(
        column.logical_type_ref(),
        Some(LogicalType::Date | LogicalType::Time(_) | LogicalType::Timestamp(_))
    ) || matches!(
        column.converted_type(),
        Converted::DATE
            | Converted::TIME_MILLIS
            | Converted::TIME_MICROS
            | Converted::TIMESTAMP_MILLIS
            | Converted::TIMESTAMP_MICROS
    );
    match column.physical_type() {
        _ if is_time => Kind::Text,
        // As in text tables, where they are the words true and false.
        Type::BOOLEAN => Kind::Text,
        Type::FLOAT => Kind::Number { single: true },
        Type::INT32 => Kind::Number {
            single: matches!(
                column.converted_type(),
                Converted::INT_8 | Converted::UINT_8 | Converted::INT_16 | Converted::UINT_16
            ),
        },
        Type::INT64 | Type::DOUBLE => Kind::Number { single: false },
        Type::FIXED_LEN_BYTE_ARRAY if is_half(column) => Kind::Number { single: true },
        Type::BYTE_ARRAY if column.converted_type() != Converted::DECIMAL => Kind::Text,
        Type::INT96 => Kind::Text,
        other => Kind::Other(format!("{other} values ({})", column.converted_type())),
    }
}

fn is_half(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Float16))
}

/// Hands on every value of a column as a number, `NaN` where it is null.
pub(super) fn numbers(
    reader: ColumnReader,
    column: &ColumnDescPtr,
    mut take: impl FnMut(f64),
) -> parquet::errors::Result<()> {
    use ConvertedType as Converted;
    let levels = column.max_def_level();
    let unsigned = matches!(
        column.converted_type(),
        Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32 | Converted::UINT_64
    );
    let unit = match column.converted_type() {
        Converted::DECIMAL => 10f64.powi(column.type_scale()),
        _ => 1.0,
    };
    let mut or_missing = |number: Option<f64>| take(number.unwrap_or(f64::NAN));
    match reader {
        ColumnReader::BoolColumnReader(reader) => each(reader, levels, |value| {
            or_missing(value.map(|value| f64::from(u8::from(*value))));
        }),
        ColumnReader::Int32ColumnReader(reader) => each(reader, levels, |value| {
            or_missing(value.map(|&value| match unsigned {
                true => f64::from(value as u32),
                false => f64::from(value) / unit,
            }));
        }),
        ColumnReader::Int64ColumnReader(reader) => each(reader, levels, |value| {
            or_missing(value.map(|&value| match unsigned {
                true => value as u64 as f64,
                false => value as f64 / unit,
            }));
        }),
        ColumnReader::FloatColumnReader(reader) => {
            each(reader, levels, |value| or_missing(value.map(|&v| f64::from(v))))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            each(reader, levels, |value| or_missing(value.copied()))
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => each(reader, levels, |value| {
            or_missing(value.and_then(|bytes| match bytes.data() {
                [low, high] => Some(half(u16::from_le_bytes([*low, *high]))),
                _ => None,
            }));
        }),
        ColumnReader::Int96ColumnReader(_) | ColumnReader::ByteArrayColumnReader(_) => {
            Err(ParquetError::General(format!("column {} holds no numbers", column.name())))
        }
    }
}

/// Hands on every value of a column as text, empty where it is null.
pub(super) fn strings(
    reader: ColumnReader,
    column: &ColumnDescPtr,
    mut take: impl FnMut(String),
) -> parquet::errors::Result<()> {
    let levels = column.max_def_level();
    let mut or_empty = |text: Option<String>| take(text.unwrap_or_default());
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            each(reader, levels, |value| or_empty(value.map(bool::to_string)))
        }
        ColumnReader::Int32ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| Field::convert_int32(column, value).to_string()));
        }),
        ColumnReader::Int64ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| match ticks(column) {
                Some(ticks) => moment(value, ticks),
                None => Field::convert_int64(column, value).to_string(),
            }));
        }),
        ColumnReader::Int96ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| Field::convert_int96(column, value).to_string()));
        }),
        ColumnReader::ByteArrayColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|bytes| String::from_utf8_lossy(bytes.data()).into_owned()));
        }),
        reader @ (ColumnReader::FloatColumnReader(_)
        | ColumnReader::DoubleColumnReader(_)
        | ColumnReader::FixedLenByteArrayColumnReader(_)) => {
            numbers(reader, column, |number| or_empty(Some(number_text(number))))
        }
    }
}

/// The ticks per second of a column of timestamps.
fn ticks(column: &ColumnDescriptor) -> Option<i64> {
    use ConvertedType as Converted;
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(time)), _) => Some(match time.unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        }),
        (_, Converted::TIMESTAMP_MILLIS) => Some(1_000),
        (_, Converted::TIMESTAMP_MICROS) => Some(1_000_000),
        _ => None,
    }
}

/// A moment after 1970 as text: `2020-02-29`, or `2020-02-29 23:59:01.5` where it is not midnight.
fn moment(value: i64, ticks: i64) -> String {
    let (seconds, rest) = (value.div_euclid(ticks), value.rem_euclid(ticks));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years begin in March, so that the leap day is their last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    let mut text = format!("{year:04}-{month:02}-{day:02}");
    if second != 0 || rest != 0 {
        text += &format!(" {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    }
    if rest != 0 {
        let width = ticks.ilog10() as usize;
        text += format!(".{rest:0width$}").trim_end_matches('0');
    }
    text
}

/// Hands on every value of a flat column in order, none where it is null.
fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    max_level: i16,
    mut take: impl FnMut(Option<&T::T>),
) -> parquet::errors::Result<()> {
    let mut levels = Vec::with_capacity(BATCH);
    let mut values = Vec::with_capacity(BATCH);
    loop {
        levels.clear();
        values.clear();
        let nullable = (max_level > 0).then_some(&mut levels);
        let (records, _, _) = reader.read_records(BATCH, nullable, None, &mut values)?;
        if records == 0 {
            return Ok(());
        }
        if max_level == 0 {
            values.iter().for_each(|value| take(Some(value)));
        } else {
            let mut present = values.iter();
            for &level in &levels {
                take(if level == max_level { present.next() } else { None });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_with_a_time_where_there_is_one() {
        for (value, ticks, text) in [
            (0, 1_000, "1970-01-01"),
            (1_577_836_800_000_000_000, 1_000_000_000, "2020-01-01"),
            (1_583_020_741_500, 1_000, "2020-02-29 23:59:01.5"),
            (951_782_400_000_000, 1_000_000, "2000-02-29"),
            (-1, 1_000_000_000, "1969-12-31 23:59:59.999999999"),
            (-2_208_988_800_000, 1_000, "1900-01-01"),
        ] {
            assert_eq!(moment(value, ticks), text);
        }
    }
}
