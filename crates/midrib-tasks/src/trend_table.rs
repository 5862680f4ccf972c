//! Tests of features as a table: one row per feature.

use midrib::trend::{ConditionTrends, Curve, FTest, ForkTrends, Knots, Status, Trends};

use crate::text::{count, first_names};

/// At most this many names in a note.
const NAMED: usize = 5;

/// Smaller numbers have an exponent.
const TINY: f64 = 1e-4;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendColumn {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: TrendValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum TrendValues {
    /// Words.
    Text(Vec<String>),
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Whole numbers; none where there is none.
    Whole(Vec<Option<usize>>),
}

/// What was found about features, one row per feature in the order of the features.
#[derive(Clone, Debug)]
pub struct TrendTable {
    /// Its columns.
    pub columns: Vec<TrendColumn>,
    /// Where the values of curves are, if curves were fitted.
    pub knots: Option<Knots>,
    /// The kept curves, by feature, in the order of their p-values.
    pub curves: Vec<(usize, Curve)>,
    log_p: Vec<f64>,
    status: Vec<Status>,
    q: Vec<f64>,
    names: Vec<String>,
    remarks: Vec<String>,
}

/// Columns of numbers by their name.
struct Columns(Vec<TrendColumn>);

impl Columns {
    fn new(names: &[String]) -> Self {
        let mut columns = Self(Vec::new());
        columns.text("feature", names.to_vec());
        columns
    }

    fn text(&mut self, name: &str, values: Vec<String>) {
        self.0.push(TrendColumn { name: name.into(), values: TrendValues::Text(values) });
    }

    fn numbers(&mut self, name: &str, values: impl Iterator<Item = f64>) {
        let values = TrendValues::Numbers(values.collect());
        self.0.push(TrendColumn { name: name.into(), values });
    }

    fn whole(&mut self, name: &str, values: impl Iterator<Item = Option<usize>>) {
        let values = TrendValues::Whole(values.collect());
        self.0.push(TrendColumn { name: name.into(), values });
    }

    /// The columns of an F test.
    fn tests(&mut self, tests: impl Iterator<Item = Option<FTest>> + Clone) {
        let of = |value: fn(FTest) -> f64| tests.clone().map(move |t| t.map_or(f64::NAN, value));
        self.numbers("F", of(|test| test.f));
        self.numbers("df1", of(|test| test.df1));
        self.numbers("df2", of(|test| test.df2));
        self.numbers("p", of(|test| test.log_p.exp()));
        self.numbers("neg_log10_p", of(|test| -test.log_p / std::f64::consts::LN_10 + 0.0));
    }

    /// The columns that end every table.
    fn status(&mut self, status: impl Iterator<Item = Status>) {
        let status: Vec<String> = status.map(|status| status.name().to_owned()).collect();
        let null = vec!["given".to_owned(); status.len()];
        self.text("status", status);
        self.text("null", null);
    }
}

impl TrendTable {
    /// The table of an association.
    pub(crate) fn of_trends(names: &[String], found: Trends) -> Self {
        let all = || found.features.iter();
        let shape = |value: fn(&midrib::trend::Shape) -> f64| {
            all().map(move |trend| trend.shape.as_ref().map_or(f64::NAN, value))
        };
        let mut columns = Columns::new(names);
        columns.whole("n_nonzero", all().map(|trend| Some(trend.n_nonzero)));
        columns.whole("n_missing", all().map(|trend| Some(trend.n_missing)));
        columns.numbers("mean", all().map(|trend| trend.mean));
        columns.tests(all().map(|trend| trend.test));
        columns.numbers("q", all().map(|trend| trend.q));
        columns.numbers("deviance_explained", all().map(|trend| trend.deviance_explained));
        columns.numbers("amplitude", shape(|shape| shape.amplitude));
        columns.numbers("peak_pseudotime", shape(|shape| shape.peak_pseudotime));
        columns.whole("peak_branch", all().map(|trend| Some(trend.shape?.peak_branch)));
        let direction = |shape: midrib::trend::Shape| shape.direction.name().to_owned();
        columns.text(
            "direction",
            all().map(|trend| trend.shape.map_or_else(String::new, direction)).collect(),
        );
        columns.numbers("edf", all().map(|trend| trend.edf));
        columns.status(all().map(|trend| trend.status));
        Self {
            log_p: all().map(|t| t.test.map_or(f64::NAN, |test| test.log_p)).collect(),
            status: all().map(|trend| trend.status).collect(),
            q: all().map(|trend| trend.q).collect(),
            names: names.to_vec(),
            remarks: Vec::new(),
            columns: columns.0,
            knots: Some(found.knots),
            curves: found.curves,
        }
    }

    /// The table of a fork.
    pub(crate) fn of_fork(names: &[String], found: ForkTrends) -> Self {
        let all = || found.features.iter();
        let mut columns = Columns::new(names);
        columns.whole("n_nonzero", all().map(|trend| Some(trend.n_nonzero)));
        columns.whole("n_missing", all().map(|trend| Some(trend.n_missing)));
        columns.numbers("mean", all().map(|trend| trend.mean));
        columns.tests(all().map(|trend| trend.test));
        columns.numbers("q", all().map(|trend| trend.q));
        columns.numbers("difference", all().map(|trend| trend.difference));
        columns.whole("highest_branch", all().map(|trend| trend.highest_branch));
        columns.numbers("begins", all().map(|trend| trend.begins));
        columns.status(all().map(|trend| trend.status));
        let of_branch = |(branch, n): (&usize, &usize)| format!("{branch} ({n})");
        let branches: Vec<String> =
            found.branches.iter().zip(&found.n_points).map(of_branch).collect();
        Self {
            log_p: all().map(|t| t.test.map_or(f64::NAN, |test| test.log_p)).collect(),
            status: all().map(|trend| trend.status).collect(),
            q: all().map(|trend| trend.q).collect(),
            names: names.to_vec(),
            remarks: vec![format!("branches beyond the fork (points): {}", branches.join(", "))],
            columns: columns.0,
            knots: Some(found.knots),
            curves: found.curves,
        }
    }

    /// The table of a comparison of conditions.
    pub(crate) fn of_conditions(names: &[String], found: ConditionTrends) -> Self {
        let all = || found.features.iter();
        let mut columns = Columns::new(names);
        columns.whole("n_nonzero", all().map(|trend| Some(trend.n_nonzero)));
        for (at, condition) in found.names.iter().enumerate() {
            columns.numbers(&format!("mean_{condition}"), all().map(|trend| trend.means[at]));
        }
        columns.numbers("explained", all().map(|trend| trend.explained));
        columns.numbers("difference", all().map(|trend| trend.difference));
        columns.numbers("p", all().map(|trend| trend.p));
        columns.numbers("q", all().map(|trend| trend.q));
        columns.status(all().map(|trend| trend.status));
        Self {
            log_p: all().map(|t| if t.p.is_nan() { -t.explained } else { t.p.ln() }).collect(),
            status: all().map(|trend| trend.status).collect(),
            q: all().map(|trend| trend.q).collect(),
            names: names.to_vec(),
            remarks: of_samples(&found),
            columns: columns.0,
            knots: None,
            curves: Vec::new(),
        }
    }

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The features that were tested, those that were not, and discoveries at a false discovery rate
    /// of 5 %.
    pub fn counts(&self) -> (usize, usize, usize) {
        let tested = self.status.iter().filter(|&&status| status == Status::Tested).count();
        let found = self.q.iter().filter(|&&q| q < 0.05).count();
        (tested, self.len() - tested, found)
    }

    /// The rows, smallest p-values first; features that were not tested come last.
    pub fn sorted(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.len()).collect();
        let untested = |row: usize| self.log_p[row].is_nan();
        rows.sort_by(|&a, &b| {
            let order = untested(a).cmp(&untested(b));
            order.then(self.log_p[a].total_cmp(&self.log_p[b])).then(a.cmp(&b))
        });
        rows
    }

    /// A row as text.
    pub(crate) fn fields(&self, row: usize) -> Vec<String> {
        let number = |x: f64| match x.abs() {
            size if !size.is_finite() => String::new(),
            size if size > 0.0 && size < TINY => format!("{x:e}"),
            _ => x.to_string(),
        };
        let field = |column: &TrendColumn| match &column.values {
            TrendValues::Text(values) => values[row].clone(),
            // An exact fit has an infinite statistic, and nothing to round.
            TrendValues::Numbers(values) if values[row] == f64::INFINITY => "inf".into(),
            TrendValues::Numbers(values) => number(values[row]),
            TrendValues::Whole(values) => values[row].map_or_else(String::new, |x| x.to_string()),
        };
        self.columns.iter().map(field).collect()
    }

    /// What a reader should know beside the table.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.remarks.clone();
        for status in Status::ALL {
            let why = match status {
                Status::Tested => continue,
                Status::Constant => "the same everywhere",
                Status::Zero => "0 everywhere",
                Status::Rare => "present in fewer than 10 points or 0.1 % of them",
                Status::Missing => "with too few values",
            };
            let which = self.names.iter().zip(&self.status).filter(|(_, own)| **own == status);
            let which: Vec<String> = which.map(|(name, _)| name.clone()).collect();
            if !which.is_empty() {
                notes.push(format!(
                    "not tested, {why}: {}: {}",
                    count(which.len(), "feature", "features"),
                    first_names(&which, NAMED, "")
                ));
            }
        }
        notes
    }
}

/// What is known about the samples of conditions.
fn of_samples(found: &ConditionTrends) -> Vec<String> {
    let of_condition =
        |(name, n): (&String, &usize)| format!("{name} ({})", count(*n, "sample", "samples"));
    let samples: Vec<String> = found.names.iter().zip(&found.n_samples).map(of_condition).collect();
    let p = match found.permutations {
        0 => "fewer than 3 samples in a condition: effects without p-values".to_owned(),
        n => {
            format!("p-values from {n} permutations of the samples, {:.4} at least", 1.0 / n as f64)
        }
    };
    let mut remarks = vec![format!("conditions: {}; {p}", samples.join(", "))];
    for (at, branch) in found.branches.iter().enumerate().filter(|_| found.branches.len() > 1) {
        let share = |(name, x): (&String, &f64)| format!("{name} {:.1} %", 100.0 * x);
        let shares: Vec<String> = found.names.iter().zip(found.shares.row(at)).map(share).collect();
        let p = found.share_p[at];
        let p = if p.is_nan() { String::new() } else { format!(", p = {p:.4}") };
        remarks.push(format!("points on branch {branch}: {}{p}", shares.join(", ")));
    }
    remarks
}
