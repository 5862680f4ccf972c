//! Fitting the replicas: small ones in parallel, large ones one after the other.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use super::counts::Counts;
use super::draw::draw;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::{End, Entry, Fit, Given, PointLink};
use crate::math::Matrix;
use crate::observe::{Observer, Progress};
use crate::points::Points;

/// Fits with up to this many values run in parallel, one thread each. Larger fits keep all threads
/// busy by themselves, and many at once would need too much memory.
const MAX_PARALLEL: usize = 1 << 20;

/// The graphs of all finished replicas, in order, with their counts.
pub(super) fn replicas(
    plan: &Plan<'_>,
    watch: &mut dyn Observer,
) -> Result<Vec<(PrincipalGraph, Counts)>> {
    let Plan { replicas, points, .. } = *plan;
    let lanes = if points.len() * points.dims() <= MAX_PARALLEL {
        rayon::current_num_threads().min(replicas)
    } else {
        1
    };
    let job = Job {
        plan,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        shared: Mutex::new(Shared { watch, done: 0, found: Vec::new() }),
    };
    job.report(0);
    let pool = |_| ThreadPoolBuilder::new().num_threads(1).build().ok();
    let pools: Vec<ThreadPool> =
        if lanes > 1 { (0..lanes).map_while(pool).collect() } else { Vec::new() };
    if pools.is_empty() {
        job.work();
    } else {
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(|| job.work()));
            }
        });
    }
    let Shared { mut found, .. } = job.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|&(replica, _)| replica);
    found.into_iter().map(|(_, result)| result).collect()
}

/// What every replica is learned from.
pub(super) struct Plan<'a> {
    pub replicas: usize,
    /// The seed of the draws.
    pub seed: u64,
    pub entry: &'a Entry,
    pub settings: &'a Value,
    pub points: &'a Points<'a>,
    pub given: Given<'a>,
}

/// The fits of all replicas and their progress.
struct Job<'a> {
    plan: &'a Plan<'a>,
    /// The next replica to start.
    next: AtomicUsize,
    stop: AtomicBool,
    shared: Mutex<Shared<'a>>,
}

/// What only one thread at a time may access.
struct Shared<'a> {
    watch: &'a mut dyn Observer,
    done: usize,
    found: Vec<(usize, Result<(PrincipalGraph, Counts)>)>,
}

impl<'a> Job<'a> {
    /// Fits one replica after the other until none is left.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let replica = self.next.fetch_add(1, Ordering::Relaxed);
            if replica >= self.plan.replicas {
                break;
            }
            let fitted = self.fit(replica);
            if matches!(&fitted, Ok(fitted) if fitted.end == End::Interrupted) {
                break;
            }
            let result = fitted.and_then(|fitted| {
                let counts = Counts::of(&fitted)?;
                Ok((fitted.graph()?.clone(), counts))
            });
            self.shared().found.push((replica, result));
            self.report(1);
        }
    }

    fn fit(&self, replica: usize) -> Result<Fit> {
        let Plan { seed, entry, points, given, .. } = self.plan;
        let (drawn, rows) = draw(points, *seed, replica, !entry.weights)?;
        let start = drawn_start(given, points.len(), &rows);
        let n_start = start.as_deref().map(Matrix::n_rows);
        let settings = drawn_settings(self.plan.settings, drawn.len(), n_start);
        let links = drawn_links(given.links, &rows);
        let pairs = given.pairs.map(|pairs| drawn_pairs(pairs, &rows));
        let given =
            Given { start: start.as_deref(), links: &links, pairs: pairs.as_deref(), ..*given };
        entry.parse(&settings)?.fit(&drawn, given, &mut Within(self))
    }

    /// Reports that `more` replicas are done.
    fn report(&self, more: usize) {
        let mut shared = self.shared();
        shared.done += more;
        let (done, of) = (shared.done, self.plan.replicas);
        let progress = Progress { stage: "replica", done, of, objective: None };
        let stops = shared.watch.progress(progress).is_break() && done < of;
        self.stop.fetch_or(stops, Ordering::Relaxed);
    }

    fn shared(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Settings for `n` drawn points, of which there are fewer than in the table: there must not be more
/// nodes than points, unless the start has them, nor as many neighbors as nodes.
fn drawn_settings(settings: &Value, n: usize, n_start: Option<usize>) -> Value {
    let mut settings = settings.clone();
    let mut nodes = n_start.unwrap_or(n);
    match settings["n_nodes"].as_u64() {
        Some(wanted) if wanted <= n as u64 => nodes = wanted as usize,
        Some(_) if nodes <= n => settings["n_nodes"] = json!(n),
        // The start has more nodes than that.
        Some(_) => settings["n_nodes"] = json!("auto"),
        None => {}
    }
    if settings["n_neighbors"].as_u64().is_some_and(|wanted| wanted >= nodes as u64) {
        settings["n_neighbors"] = json!(nodes.saturating_sub(1));
    }
    settings
}

/// The starting nodes of the drawn `rows`: of a start with one node for each of the `n` points, those
/// of the drawn points; any other start as it is.
fn drawn_start<'a>(given: &Given<'a>, n: usize, rows: &[usize]) -> Option<Cow<'a, Matrix>> {
    let start = given.start?;
    let is_of_points = start.n_rows() == n && given.start_graph.is_none();
    Some(match is_of_points {
        true => Cow::Owned(start.select_rows(rows.iter().copied())),
        false => Cow::Borrowed(start),
    })
}

/// The links between points that were drawn; `rows` are the drawn rows in ascending order.
fn drawn_links(links: &[PointLink], rows: &[usize]) -> Vec<PointLink> {
    let at = |row: usize| rows.binary_search(&row).ok();
    let drawn = |link: &PointLink| Some(PointLink { a: at(link.a)?, b: at(link.b)?, ..*link });
    links.iter().filter_map(drawn).collect()
}

/// The pairs of points that were drawn; `rows` are the drawn rows in ascending order.
fn drawn_pairs(pairs: &[(usize, usize)], rows: &[usize]) -> Vec<(usize, usize)> {
    let at = |row: usize| rows.binary_search(&row).ok();
    pairs.iter().filter_map(|&(a, b)| Some((at(a)?, at(b)?))).collect()
}

/// Observes a single fit: its sweeps are not reported, but it can be stopped.
struct Within<'j, 'a>(&'j Job<'a>);

impl Observer for Within<'_, '_> {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        let Self(job) = self;
        if job.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let answer = job.shared().watch.go_on();
        job.stop.fetch_or(answer.is_break(), Ordering::Relaxed);
        answer
    }
}
