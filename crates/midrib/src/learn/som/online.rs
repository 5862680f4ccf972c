//! An epoch of online training. Gorban2009, SOM approach: the algorithm of Kohonen.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::connect::Net;
use crate::error::Result;
use crate::math::{Matrix, observed_squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// Steps shorter than this share of the distance to a point are left out.
const SHORTEST_STEP: f64 = 1e-9;

/// What is constant in an epoch.
pub(super) struct OnlineEpoch<'n> {
    pub net: &'n Net,
    pub radius: f64,
    pub learning_rate: f64,
    pub seed: u64,
    /// Its number, which changes the order of the points.
    pub epoch: usize,
}

impl OnlineEpoch<'_> {
    /// Shows each point to the nodes, in a random order within each chunk.
    pub fn run(&self, cloud: &Cloud<'_>, nodes: &mut Matrix) -> Result<()> {
        let dims = cloud.dims();
        let rows_of = |chunk: &WorkingChunk<'_>| {
            let rows: Vec<usize> = chunk.blocks().into_iter().flatten().collect();
            let mut values = vec![0.0; rows.len() * dims];
            for (&i, row) in rows.iter().zip(values.chunks_exact_mut(dims)) {
                chunk.copy_row(i, row);
            }
            let weights: Vec<f64> = rows.iter().map(|&i| chunk.weight(i)).collect();
            (values, weights)
        };
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.epoch as u64);
        cloud.per_chunk(rows_of, |(values, weights)| {
            let mut order: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
            order.shuffle(&mut random);
            for i in order {
                self.show(&values[i * dims..(i + 1) * dims], weights[i], nodes);
            }
        })
    }

    /// Moves all nodes toward a point, as if it came `weight` times in a row.
    fn show(&self, x: &[f64], weight: f64, nodes: &mut Matrix) {
        let mut owner = (f64::INFINITY, 0);
        for (node, y) in nodes.rows().enumerate() {
            let squared = observed_squared_distance(x, y);
            if squared < owner.0 {
                owner = (squared, node);
            }
        }
        for node in 0..nodes.n_rows() {
            let near = -0.5 * self.net.squared_steps(node, owner.1) / (self.radius * self.radius);
            let step = self.learning_rate * near.exp();
            if step < SHORTEST_STEP {
                continue;
            }
            let step = if weight == 1.0 { step } else { 1.0 - (1.0 - step).powf(weight) };
            for (y, x) in nodes.row_mut(node).iter_mut().zip(x) {
                if !x.is_nan() {
                    *y += step * (x - *y);
                }
            }
        }
    }
}
