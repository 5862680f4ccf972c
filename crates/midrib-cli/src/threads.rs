//! The number of threads.

use crate::exit::{Failure, Outcome};

/// Uses this many threads, or one per core.
pub fn set_threads(threads: Option<usize>) -> Outcome<()> {
    // The main thread works too: waking a pool for each of thousands of short steps costs more.
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .use_current_thread()
        .build_global()
        .map_err(|error| match threads {
            Some(threads) => Failure::usage(format!("--threads {threads}: {error}")),
            None => Failure::usage(format!("threads: {error}; give --threads 1")),
        })
}
