//! Several methods fitted to the same points and measured by the same criteria.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use midrib::connect::NetShape;
use midrib::learn::{End, Given, method, with_remedy};
use midrib::measure::{Criteria, criteria};
use midrib::object::Object;
use midrib::{Observer, Points, Progress};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::contender::Contender;
use crate::error::{Error, Kind, Result};
use crate::memory::Memory;
use crate::peak_memory::with_peak_memory;
use crate::summary::net_shape;
use crate::text::{count, short};

/// Methods to compare on points.
#[derive(Clone, Copy, Debug)]
pub struct ComparePoints<'a> {
    /// The prepared points.
    pub points: &'a Points<'a>,
    /// The methods.
    pub methods: &'a [Contender],
    /// The classes of the points, where they have some.
    pub labels: Option<&'a [String]>,
    /// The most time that one method may take.
    pub time_limit: Option<Duration>,
}

/// One method of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedMethod {
    /// How it was named, with its settings.
    pub name: String,
    /// The method.
    pub method: String,
    /// The settings that were given.
    pub settings: Map<String, Value>,
    /// Whether there is a result.
    pub status: Status,
    /// Why there is none, or why it is not the final one.
    pub reason: Option<String>,
    /// What was learned, in words.
    pub object: Option<String>,
    /// Whether every point is a node of its own, so that its distance is 0 or nearly so.
    pub is_every_point: bool,
    /// Why the fit stopped.
    pub end: Option<&'static str>,
    /// The time of the fit.
    pub seconds: f64,
    /// The most memory that the program held during the fit, in bytes, where that is known.
    pub peak_memory: Option<u64>,
    /// How well it represents the points.
    pub criteria: Option<Criteria>,
    /// What was learned.
    #[serde(skip)]
    pub learned: Option<Object>,
}

/// Whether a method has a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It came to its end.
    Finished,
    /// It was stopped; its best result so far is measured.
    Interrupted,
    /// It has none.
    Failed,
}

/// Fits each method to the points and measures it. A method that fails has its reason in its row; once
/// the observer asks to stop, the methods that are left do so at once.
///
/// ```
/// use midrib::synth::{Shape, Synth};
/// use midrib::Silent;
/// use midrib_tasks::{ComparePoints, Contender, Status, compare_points};
/// let synth = Synth { shape: Shape::S, n: 100, dims: 2, noise: 0.05, seed: 1 };
/// let points = synth.generate()?.points;
/// let methods = ["pca:n_components=1", "elastic-curve", "curv"].map(Contender::parse);
/// let request =
///     ComparePoints { points: &points, methods: &methods, labels: None, time_limit: None };
/// let found = compare_points(&request, &mut Silent);
/// let explained = |at: usize| found[at].criteria.as_ref().and_then(|found| found.explained);
/// assert!(explained(1) > explained(0));
/// assert_eq!((found[2].status, explained(2)), (Status::Failed, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare_points(
    request: &ComparePoints<'_>,
    watch: &mut dyn Observer,
) -> Vec<ComparedMethod> {
    let mut stopped = false;
    let of_method = |contender| {
        let mut watch = Watch {
            inner: watch,
            name: String::new(),
            limit: request.time_limit.map(|limit| (Instant::now(), limit)),
            out_of_time: false,
            stopped,
        };
        let compared = compare_one(request, contender, &mut watch);
        stopped = watch.stopped;
        compared
    };
    request.methods.iter().map(of_method).collect()
}

fn compare_one(
    request: &ComparePoints<'_>,
    contender: &Contender,
    watch: &mut Watch<'_>,
) -> ComparedMethod {
    watch.name = contender.to_string();
    let mut row = ComparedMethod {
        name: contender.to_string(),
        method: contender.method.clone(),
        settings: contender.settings.clone(),
        status: Status::Failed,
        reason: None,
        object: None,
        is_every_point: false,
        end: None,
        seconds: 0.0,
        peak_memory: None,
        criteria: None,
        learned: None,
    };
    if watch.stopped {
        row.reason = Some("not fitted: the comparison was interrupted".into());
        return row;
    }
    let started = Instant::now();
    let fit = || {
        let configured =
            method(&contender.method)?.parse(&Value::Object(contender.settings.clone()))?;
        Ok(configured.fit(request.points, Given::default(), watch).map_err(with_remedy)?)
    };
    let (fitted, peak): (Result<_>, _) = with_peak_memory(fit);
    row.seconds = started.elapsed().as_secs_f64();
    row.peak_memory = peak.map(|Memory(bytes)| bytes);
    let measured = fitted.and_then(|fit| {
        row.object = Some(described(&fit.object));
        row.is_every_point = is_every_point(&fit.object, request.points.len());
        row.end = Some(fit.end.as_str());
        row.status = Status::Finished;
        if fit.end == End::Interrupted {
            row.status = Status::Interrupted;
            row.reason = Some(format!("{}: the best result so far", watch.why()));
        }
        let found = criteria(&fit.object, request.points, request.labels)?;
        row.learned = Some(fit.object);
        Ok(found)
    });
    match measured {
        Ok(found) => row.criteria = Some(found),
        Err(error) => {
            row.status = Status::Failed;
            row.reason = Some(match error.kind() {
                Kind::Interrupted => format!("{}, before there was a result", watch.why()),
                _ => error.to_string(),
            });
        }
    }
    row
}

/// Refuses a comparison in which no method has a result.
pub fn require_results(rows: &[ComparedMethod]) -> Result<()> {
    if rows.iter().any(|row| row.status != Status::Failed) {
        return Ok(());
    }
    let first = rows.iter().find_map(|row| Some((row, row.reason.as_ref()?)));
    Err(match first {
        Some((row, reason)) => {
            Error::Runtime(format!("no method has a result; the first, {}: {reason}", row.name))
        }
        None => Error::usage("there is no method to compare"),
    })
}

/// Stops a fit when its time is over, and passes everything else on.
struct Watch<'a> {
    inner: &'a mut dyn Observer,
    /// The method that is being fitted.
    name: String,
    limit: Option<(Instant, Duration)>,
    out_of_time: bool,
    /// Whether the observer wants to stop.
    stopped: bool,
}

impl Watch<'_> {
    /// Why the fit was stopped.
    fn why(&self) -> String {
        match self.limit {
            Some((_, limit)) if self.out_of_time => {
                format!("stopped at the time limit of {} s", short(limit.as_secs_f64()))
            }
            _ => "interrupted".into(),
        }
    }

    fn heed(&mut self, answer: ControlFlow<()>) -> ControlFlow<()> {
        self.stopped |= answer.is_break();
        self.out_of_time |= self.limit.is_some_and(|(start, limit)| start.elapsed() >= limit);
        match self.stopped || self.out_of_time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let stage = format!("{}, {}", self.name, progress.stage);
        let answer = self.inner.progress(Progress { stage: &stage, ..progress });
        self.heed(answer)
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        let answer = self.inner.go_on();
        self.heed(answer)
    }
}

/// Whether the nodes are the points themselves, in an embedding with a graph.
fn is_every_point(object: &Object, points: usize) -> bool {
    let Object::Embedding(learned) = object else { return false };
    learned.graph.as_ref().is_some_and(|graph| graph.nodes().n_rows() == points)
}

/// What was learned, in a few words.
fn described(object: &Object) -> String {
    let nodes = |n: usize| count(n, "node", "nodes");
    match object {
        Object::Graph(learned) => {
            let graph = &learned.graph;
            let (tips, loops) = (graph.tips().len(), graph.loops());
            let parts = [
                nodes(graph.nodes().n_rows()),
                count(tips, "tip", "tips"),
                count(loops, "loop", "loops"),
            ];
            parts[..if loops > 0 { 3 } else { 2 }].join(", ")
        }
        Object::Net(net) => match net.surface() {
            Some(surface) => match surface.net().shape {
                NetShape::Chain => nodes(net.graph.nodes().n_rows()),
                shape => net_shape(shape, &surface.net().sides),
            },
            None => nodes(net.graph.nodes().n_rows()),
        },
        Object::Flats(flats) => {
            let axes = count(flats.inner_dims(), "axis", "axes");
            match flats.flats().len() {
                1 => axes,
                pieces => format!("{pieces} pieces of {axes}"),
            }
        }
        Object::Centers(centers) => count(centers.nodes().n_rows(), "center", "centers"),
        Object::Embedding(learned) => count(learned.embedding.dims(), "dimension", "dimensions"),
    }
}
