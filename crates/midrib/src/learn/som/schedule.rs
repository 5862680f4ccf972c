//! How the neighborhood shrinks from epoch to epoch.

use super::settings::Som;
use crate::connect::{Net, NetShape};

/// Radii and step sizes of all epochs.
pub(super) struct Schedule {
    radius: (f64, f64),
    learning_rate: f64,
    epochs: usize,
}

impl Schedule {
    pub fn new(settings: &Som, net: &Net) -> Self {
        let last = settings.final_radius;
        let first = settings.radius.or(quarter(net).max(last));
        let epochs = settings.max_iter;
        Self { radius: (first, last), learning_rate: settings.learning_rate, epochs }
    }

    /// The radius of the first epoch.
    pub fn first_radius(&self) -> f64 {
        self.radius.0
    }

    /// The neighborhood radius s of an epoch.
    pub fn radius(&self, epoch: usize) -> f64 {
        let (first, last) = self.radius;
        first * (last / first).powf(self.share(epoch))
    }

    /// The step size h of an epoch.
    pub fn learning_rate(&self, epoch: usize) -> f64 {
        self.learning_rate * 0.01_f64.powf(self.share(epoch))
    }

    fn share(&self, epoch: usize) -> f64 {
        if self.epochs < 2 { 1.0 } else { epoch as f64 / (self.epochs - 1) as f64 }
    }
}

/// A quarter of the longest side; of a sphere, of a great circle.
fn quarter(net: &Net) -> f64 {
    match net.shape {
        NetShape::Sphere => 0.5 * (net.sides[0] + 1) as f64,
        _ => 0.25 * net.sides.iter().copied().max().unwrap_or(1) as f64,
    }
}
