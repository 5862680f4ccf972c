//! `axes.csv`.

use std::path::Path;

use midrib::object::Flats;

use super::names;
use super::table::TableWriter;
use crate::error::Result;

/// Writes `axes.csv`: the flat, the number of the axis, the variance along it, then its direction
/// in each feature.
///
/// ```
/// use midrib::{math::Matrix, object::{Flat, Flats}};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("axes.csv");
/// let axes = Matrix::from_rows(&[[0.0, 1.0]])?;
/// let flat = Flat { center: vec![0.0; 2], axes, variances: vec![2.5], mass: 1.0 };
/// midrib_io::write_axes(&path, &Flats::new(vec![flat])?, &["x".into(), "y".into()])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "flat,axis,variance,x,y\n0,1,2.5,0,1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_axes(path: &Path, flats: &Flats, features: &[String]) -> Result<()> {
    const FIXED: [&str; 3] = ["flat", "axis", "variance"];
    let mut header = FIXED.map(String::from).to_vec();
    header.extend(names::beside(&FIXED, features, "feature_"));
    let mut table = TableWriter::create(path, &header)?;
    for (number, flat) in flats.flats().iter().enumerate() {
        for (axis, (direction, &variance)) in flat.axes.rows().zip(&flat.variances).enumerate() {
            table.integer(number)?;
            table.integer(axis + 1)?;
            table.number(variance)?;
            for &value in direction {
                table.number(value)?;
            }
            table.end_row()?;
        }
    }
    table.finish()
}
