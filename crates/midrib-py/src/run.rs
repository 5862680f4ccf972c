//! Long work: threads, progress and Ctrl-C, in one place.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use midrib::{Observer, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The number of threads, and a callback for the progress.
pub type Execution = (Option<usize>, Option<Py<PyAny>>);

/// How long Ctrl-C may go unnoticed by the waiting thread.
const TICK: Duration = Duration::from_millis(50);

/// The threads that were used last: by which process, and how many (0: as many as cores).
static POOL: Mutex<Option<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(None);

/// Threads of this very process: those of its parent do not survive a fork.
fn pool(n_jobs: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let (process, threads) = (std::process::id(), n_jobs.unwrap_or(0));
    let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match last.take_if(|(owner, count, _)| (*owner, *count) != (process, threads)) {
        Some((owner, _, pool)) if owner != process => std::mem::forget(pool),
        _ => {}
    }
    if let Some((_, _, pool)) = &*last {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    *last = Some((process, threads, Arc::clone(&pool)));
    Ok(pool)
}

/// A sweep as Python sees it: stage, done, of, objective.
type Sweep = (String, usize, usize, Option<f64>);

/// Observes the fit and reports its sweeps to the waiting thread.
struct Watch<'s> {
    stop: &'s AtomicBool,
    reports: Sender<Sweep>,
    /// Present if a callback waits for the reports, and replies.
    replies: Option<Receiver<()>>,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        if let Some(replies) = &self.replies {
            let Progress { stage, done, of, objective } = progress;
            let sent = self.reports.send((stage.into(), done, of, objective));
            // Without a receiver there is no reply: the fit is about to be stopped.
            let _ = sent.map(|()| replies.recv());
        }
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Runs `work` on these threads without the interpreter's lock, while this thread waits for Ctrl-C
/// and calls `progress(stage, done, of, objective)`; if that returns False, the work is asked to
/// stop.
pub fn run<T: Send>(
    py: Python<'_>,
    (n_jobs, progress): Execution,
    work: impl FnOnce(&mut dyn Observer) -> T + Send,
) -> PyResult<T> {
    let pool = pool(n_jobs)?;
    let stop = AtomicBool::new(false);
    let (reports, received) = mpsc::channel();
    let (reply, replies) = mpsc::channel();
    let replies = progress.is_some().then_some(replies);
    let (mut result, mut raised) = (None, None);
    py.detach(|| {
        let (received, reply) = (received, reply);
        pool.in_place_scope(|scope| {
            let (stop, result) = (&stop, &mut result);
            scope.spawn(move |_| *result = Some(work(&mut Watch { stop, reports, replies })));
            loop {
                let sweep = received.recv_timeout(TICK);
                let goes_on = match (&sweep, &progress) {
                    (Err(RecvTimeoutError::Disconnected), _) => break,
                    (Ok(sweep), Some(progress)) => Python::attach(|py| call(py, progress, sweep)),
                    _ => Python::attach(|py| py.check_signals()).map(|()| true),
                };
                if !matches!(goes_on, Ok(true)) {
                    stop.store(true, Ordering::Relaxed);
                }
                if let Err(error) = goes_on {
                    raised.get_or_insert(error);
                }
                // One reply per sweep: one too many would be taken for the reply to a later sweep.
                if sweep.is_ok() {
                    let _ = reply.send(());
                }
            }
        });
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(PyRuntimeError::new_err("the work ended without a result")),
    }
}

/// Whether to go on.
fn call(py: Python<'_>, progress: &Py<PyAny>, sweep: &Sweep) -> PyResult<bool> {
    let answer = progress.call1(py, sweep.clone())?;
    Ok(!answer.is(pyo3::types::PyBool::new(py, false)))
}
