//! The most memory that the program holds during a piece of work.

use crate::memory::Memory;

/// Does the work; also returns the most memory that the whole program held meanwhile, where the system
/// keeps track of it (Linux).
pub fn with_peak_memory<T>(work: impl FnOnce() -> T) -> (T, Option<Memory>) {
    // 5 sets the peak back to what is held now.
    let is_kept = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let done = work();
    (done, is_kept.then(peak).flatten())
}

fn peak() -> Option<Memory> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(Memory(kilobytes * 1024))
}
