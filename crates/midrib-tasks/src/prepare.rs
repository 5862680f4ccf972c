//! Preparing points: scaling, kernels and components, for a fit or as a fit had them.

use midrib::Points;
use midrib::learn::Choice;
use midrib::prepare::{
    Kernel, KernelColumns, KernelFunction, KernelWidth, Preparation, Similarity, Transform,
};
use midrib_io::{Model, prepared_names};
use midrib_report::DrawnTable;
use serde_json::json;

use crate::error::Result;
use crate::listener::Listener;
use crate::memory::Memory;
use crate::scale_advice::advise_scaling;
use crate::text::first_names;

/// At most this many landmarks are suggested.
const LANDMARKS: u64 = 1000;
/// At most this many columns are named in a note.
const NAMED: usize = 5;

/// How points are to be prepared.
#[derive(Clone, Copy, Debug)]
pub struct PrepareRequest<'a> {
    /// The steps.
    pub preparation: Preparation,
    /// The names of the columns.
    pub features: &'a [String],
    /// The most memory that a kernel matrix may take.
    pub max_memory: Memory,
    /// Whether columns with very different spreads are reported.
    pub advise: bool,
}

/// The prepared points, and how they were prepared.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The points.
    pub points: Points<'static>,
    /// The names of the prepared columns.
    pub features: Vec<String>,
    /// The steps as they were fitted; none where nothing was done.
    pub transform: Option<Transform>,
    /// The columns as they were before, where something was done.
    pub table: Option<DrawnTable>,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
    /// What the results must say of the values.
    pub notes: Vec<String>,
}

/// Prepares points for a fit.
///
/// ```
/// use midrib::{Points, Silent, prepare::{Preparation, Scale}};
/// use midrib_tasks::{Memory, PrepareRequest, prepare};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 200.0], 2)?;
/// let request = PrepareRequest {
///     preparation: Preparation { scale: Scale::Minmax, ..Preparation::default() },
///     features: &["x".into(), "y".into()],
///     max_memory: Memory(u64::MAX),
///     advise: true,
/// };
/// let prepared = prepare(&request, points, &mut Silent)?;
/// let mut row = [0.0; 2];
/// prepared.points.copy_row(1, &mut row);
/// assert_eq!(row, [1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prepare(
    request: &PrepareRequest<'_>,
    points: Points<'static>,
    listener: &mut dyn Listener,
) -> Result<Prepared> {
    let PrepareRequest { preparation, features, max_memory, advise } = *request;
    refuse_large_kernel(&preparation, points.len(), max_memory)?;
    let mut notes = Vec::new();
    if advise {
        let wording = listener.wording();
        notes.extend(advise_scaling(&preparation, &points, features, wording));
    }
    if preparation.is_nothing() {
        notes.iter().for_each(|note| listener.note(note));
        let (features, choices) = (features.to_vec(), Vec::new());
        return Ok(Prepared { points, features, transform: None, table: None, choices, notes });
    }
    let transform = Transform::fit(preparation, &points)?;
    notes.extend(note_constant_quartiles(&transform, features));
    notes.extend(transform.embed.iter().flat_map(|embed| embed.notes.clone()));
    notes.iter().for_each(|note| listener.note(note));
    let table = Some(DrawnTable::of(&points, features));
    let features = prepared_names(Some(&transform), features);
    let points = transform.apply(&points)?;
    let choices = kernel_choices(&preparation, &transform);
    Ok(Prepared { points, features, transform: Some(transform), table, choices, notes })
}

/// Points as the object knows them: prepared like those that it was learned from.
pub fn prepare_like<'a>(model: &Model, points: Points<'a>) -> Result<Points<'a>> {
    Ok(match &model.input.prepare {
        Some(transform) => transform.apply(&points)?,
        None => points,
    })
}

/// A kernel matrix must fit into memory: reports how large it is and what to do.
fn refuse_large_kernel(preparation: &Preparation, n: usize, most: Memory) -> Result<()> {
    let Some(kernel) = &preparation.kernel else {
        return Ok(());
    };
    let bytes = Memory(kernel.bytes(n));
    if bytes <= most {
        return Ok(());
    }
    let (what, fewer) = match kernel.columns {
        KernelColumns::Landmarks(m) if m < n => {
            (format!("the kernel matrix of {n} points and {m} landmarks"), "fewer landmarks with")
        }
        _ => (format!("the kernel matrix of {n} points"), "only the columns of landmarks with"),
    };
    let each = Kernel { columns: KernelColumns::Landmarks(1), ..*kernel }.bytes(n);
    let advice = match most.0 / each.max(1) {
        0 => String::new(),
        fit => format!(", or {fewer} kernel_columns = {}", fit.min(LANDMARKS)),
    };
    let remedy = format!(
        "{what} would take {bytes}; pass max_memory = {} if there is that much, give fewer \
         rows{advice}",
        bytes.rounded_up()
    );
    Err(midrib::Error::setting("max_memory", most, remedy).into())
}

/// A kernel matrix that is not reduced to components must fit into memory.
pub fn refuse_large_transform(transform: &Transform, n: usize, most: Memory) -> Result<()> {
    let (Some(kernel), None) = (&transform.kernel, &transform.pca) else {
        return Ok(());
    };
    let bytes = Memory(kernel.bytes(n));
    if bytes <= most {
        return Ok(());
    }
    let remedy = format!(
        "the kernel matrix of {n} points and {} columns would take {bytes}; pass max_memory = {} \
         if there is that much, or project fewer rows at a time",
        kernel.n_columns(),
        bytes.rounded_up()
    );
    Err(midrib::Error::setting("max_memory", most, remedy).into())
}

/// A robust scale needs quartiles that differ: reports the columns where they do not.
fn note_constant_quartiles(transform: &Transform, features: &[String]) -> Option<String> {
    if transform.by_deviation.is_empty() {
        return None;
    }
    let columns: Vec<String> =
        transform.by_deviation.iter().map(|&d| features[d].clone()).collect();
    Some(format!(
        "half of the values are equal, so the standard deviation is used in place of the \
         interquartile range: {}",
        first_names(&columns, NAMED, " columns")
    ))
}

/// The width of a kernel, where it was left open.
fn kernel_choices(preparation: &Preparation, transform: &Transform) -> Vec<Choice> {
    let auto = KernelFunction::Gaussian(KernelWidth::Auto);
    let fitted = transform.kernel.as_ref().map(|kernel| kernel.function);
    match (preparation.kernel, fitted) {
        (Some(Kernel { function, .. }), Some(Similarity::Gaussian { beta }))
            if function == auto =>
        {
            let chosen = KernelFunction::Gaussian(KernelWidth::Fixed(beta));
            let reason = "half the mean squared distance of two points".into();
            vec![Choice { setting: "kernel", value: json!(chosen.to_string()), reason }]
        }
        _ => Vec::new(),
    }
}
