//! The fits of the replicas: small ones side by side, large ones one after the other.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use super::draw::draw;
use super::{Bootstrap, Counts};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::{End, Entry, Fitted, Given};
use crate::observe::{Observer, Progress};
use crate::points::Points;

/// Fits of up to so many values run side by side, one thread each. Larger ones keep all threads
/// busy by themselves, and many at once would take many times the memory.
const SIDE_BY_SIDE: usize = 1 << 20;

/// The graphs of all replicas that were finished, in order, and what each has.
pub(super) fn replicas(
    bootstrap: &Bootstrap,
    entry: &Entry,
    settings: &Value,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Vec<(PrincipalGraph, Counts)>> {
    let lanes = if points.len() * points.dims() <= SIDE_BY_SIDE {
        rayon::current_num_threads().min(bootstrap.replicas)
    } else {
        1
    };
    let job = Job {
        bootstrap,
        entry,
        settings,
        points,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        shared: Mutex::new(Shared { watch, done: 0, found: Vec::new() }),
    };
    job.tell(0);
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
    found.into_iter().map(|(_, learnt)| learnt).collect()
}

/// All replicas, and how far they are.
struct Job<'a> {
    bootstrap: &'a Bootstrap,
    entry: &'a Entry,
    settings: &'a Value,
    points: &'a Points<'a>,
    /// The first that nobody has begun.
    next: AtomicUsize,
    stop: AtomicBool,
    shared: Mutex<Shared<'a>>,
}

/// What one lane at a time may touch.
struct Shared<'a> {
    watch: &'a mut dyn Observer,
    done: usize,
    found: Vec<(usize, Result<(PrincipalGraph, Counts)>)>,
}

impl<'a> Job<'a> {
    /// Learns one replica after the other until none is left.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let replica = self.next.fetch_add(1, Ordering::Relaxed);
            if replica >= self.bootstrap.replicas {
                break;
            }
            let fitted = self.fit(replica);
            if matches!(&fitted, Ok(fitted) if fitted.end == End::Interrupted) {
                break;
            }
            let learnt = fitted.and_then(|fitted| {
                let counts = Counts::of(&fitted)?;
                Ok((fitted.graph, counts))
            });
            self.shared().found.push((replica, learnt));
            self.tell(1);
        }
    }

    fn fit(&self, replica: usize) -> Result<Fitted> {
        let drawn = draw(self.points, self.bootstrap.seed, replica, !self.entry.weights)?;
        let mut settings = self.settings.clone();
        // More nodes than points are refused, and as many neighbours as nodes; fewer points are drawn
        // than there were.
        let mut nodes = drawn.len() as u64;
        match settings["n_nodes"].as_u64() {
            Some(wanted) if wanted > nodes => settings["n_nodes"] = json!(nodes),
            Some(wanted) => nodes = wanted,
            None => {}
        }
        if settings["n_neighbors"].as_u64().is_some_and(|wanted| wanted >= nodes) {
            settings["n_neighbors"] = json!(nodes.saturating_sub(1));
        }
        self.entry.fit(&settings, &drawn, Given::default(), &mut Within(self))
    }

    /// Tells that so many more are done.
    fn tell(&self, more: usize) {
        let mut shared = self.shared();
        shared.done += more;
        let (done, of) = (shared.done, self.bootstrap.replicas);
        let progress = Progress { stage: "replica", done, of, objective: None };
        let stops = shared.watch.progress(progress).is_break() && done < of;
        self.stop.fetch_or(stops, Ordering::Relaxed);
    }

    fn shared(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches a single fit: its sweeps are not told, but may be stopped.
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
