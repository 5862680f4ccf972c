//! The arguments of `compare`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use midrib::learn::METHODS;
use midrib_tasks::Contender;

use super::shared::{ColumnArgs, OutputArgs, TableArgs, ThreadArgs};

#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ, Parquet or .h5ad; - reads CSV from stdin
    pub input: PathBuf,
    /// Methods to compare, with commas between them [default: all]
    ///
    /// Settings follow a colon each: --methods pca,kmeans:n_clusters=20:seed=1,ppt. `midrib methods`
    /// lists the methods, `midrib methods NAME` the settings of one. A method that is given twice
    /// with different settings is compared with itself.
    #[arg(short, long, value_name = "NAME,NAME:SETTING=VALUE,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Seconds that one method may take; its best result so far is then measured
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,
    /// Directory for the results [default: the input's name with .compared, here]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Two columns to draw over [default: the first two principal components]
    #[arg(long, value_name = "X,Y", value_parser = two_columns)]
    pub axes: Option<[String; 2]>,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}

impl CompareArgs {
    /// The methods that are named, or all.
    pub fn contenders(&self) -> Vec<Contender> {
        match &self.methods[..] {
            [] => METHODS.iter().map(|entry| Contender::named(entry.name)).collect(),
            named => named.iter().map(|name| Contender::parse(name)).collect(),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wanted = || "give a number of seconds above 0, such as 0.5 or 60".to_owned();
    let number: f64 = text.parse().map_err(|_| wanted())?;
    match Duration::try_from_secs_f64(number) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err(wanted()),
    }
}

fn two_columns(text: &str) -> Result<[String; 2], String> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [x, y] if !x.is_empty() && !y.is_empty() => Ok([x.into(), y.into()]),
        _ => Err("give the names of two columns, such as x,y".into()),
    }
}
