//! Random numbers, with a separate stream for each purpose.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What random numbers are drawn for. Drawing more for one purpose does not change the others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Skeleton,
    Embedding,
    Positions,
    Noise,
    Breadth,
}

/// The random numbers of a seed for one purpose.
pub(super) struct Random {
    rng: ChaCha8Rng,
    /// The second of a pair of Gaussian numbers.
    cached: Option<f64>,
}

impl Random {
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(purpose as u64);
        Self { rng, cached: None }
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.rng.random()
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform among `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.rng.random_range(0..n)
    }

    /// Gaussian of mean 0 and variance 1, by Marsaglia's polar method.
    pub fn gaussian(&mut self) -> f64 {
        if let Some(cached) = self.cached.take() {
            return cached;
        }
        loop {
            let (u, v) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let squared = u * u + v * v;
            if squared > 0.0 && squared < 1.0 {
                let factor = (-2.0 * squared.ln() / squared).sqrt();
                self.cached = Some(v * factor);
                return u * factor;
            }
        }
    }

    /// A unit vector, uniform on the sphere.
    pub fn direction(&mut self, dims: usize) -> Vec<f64> {
        loop {
            let vector: Vec<f64> = (0..dims).map(|_| self.gaussian()).collect();
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                return vector.into_iter().map(|x| x / length).collect();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaussians_have_the_right_moments() {
        let mut random = Random::new(1, Purpose::Noise);
        let draws: Vec<f64> = (0..200_000).map(|_| random.gaussian()).collect();
        let moment = |power: i32| draws.iter().map(|x| x.powi(power)).sum::<f64>() / 200_000.0;
        assert!(moment(1).abs() < 0.01);
        assert!((moment(2) - 1.0).abs() < 0.015);
        assert!(moment(3).abs() < 0.05);
        assert!((moment(4) - 3.0).abs() < 0.1);
    }
}
