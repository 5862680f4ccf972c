//! The nearest position on a segment, triangle or tetrahedron in any number of dimensions.

/// Corners of the largest simplex.
pub(super) const CORNERS: usize = 4;

/// The scalar products of a simplex's edges from its first corner, and of those with a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    /// The number of corners.
    pub corners: usize,
    /// (vᵢ − v₀)·(vⱼ − v₀); zero where i or j is 0.
    pub products: [[f64; CORNERS]; CORNERS],
}

/// A position on a simplex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The share of each corner.
    pub shares: [f64; CORNERS],
    /// Its squared distance from the point, less that of the first corner.
    pub squared: f64,
}

impl Simplex {
    /// From the differences of the other corners from the first.
    pub fn new(edges: &[Vec<f64>]) -> Self {
        let mut products = [[0.0; CORNERS]; CORNERS];
        for (i, a) in edges.iter().enumerate() {
            for (j, b) in edges.iter().enumerate() {
                products[i + 1][j + 1] = a.iter().zip(b).map(|(a, b)| a * b).sum();
            }
        }
        Self { corners: edges.len() + 1, products }
    }

    /// The nearest position to a point x, given (x − v₀)·(vᵢ − v₀), which is 0 for i = 0.
    ///
    /// It is the nearest of the projections onto the faces' affine hulls that lie inside their faces.
    pub fn nearest(&self, along: &[f64; CORNERS]) -> Nearest {
        let all = (1_usize << self.corners) - 1;
        if let Some(found) = self.inside(all, along) {
            return found;
        }
        let mut best = Nearest { shares: [0.0; CORNERS], squared: f64::INFINITY };
        for face in 1..all {
            if let Some(found) = self.inside(face, along)
                && found.squared < best.squared
            {
                best = found;
            }
        }
        best
    }

    /// The projection onto the affine hull of a face (a set of corners), if it lies inside the face.
    fn inside(&self, face: usize, along: &[f64; CORNERS]) -> Option<Nearest> {
        let mut members = [0; CORNERS];
        let mut count = 0;
        for corner in (0..self.corners).filter(|corner| face >> corner & 1 == 1) {
            members[count] = corner;
            count += 1;
        }
        let base = members[0];
        let others = &members[1..count];
        let g = &self.products;
        // The same products, relative to the first corner of the face.
        let mut matrix = [[0.0; CORNERS - 1]; CORNERS - 1];
        let mut right = [0.0; CORNERS - 1];
        for (row, &i) in others.iter().enumerate() {
            right[row] = along[i] - along[base] - g[i][base] + g[base][base];
            for (column, &j) in others.iter().enumerate() {
                matrix[row][column] = g[i][j] - g[i][base] - g[base][j] + g[base][base];
            }
        }
        let solution = solve(matrix, right, others.len())?;
        let mut shares = [0.0; CORNERS];
        let mut rest = 1.0;
        for (&corner, &share) in others.iter().zip(&solution) {
            if share < 0.0 {
                return None;
            }
            shares[corner] = share;
            rest -= share;
        }
        if rest < 0.0 {
            return None;
        }
        shares[base] = rest;
        let mut squared = 0.0;
        for i in 1..self.corners {
            let own: f64 = (1..self.corners).map(|j| shares[j] * g[i][j]).sum();
            squared += shares[i] * (own - 2.0 * along[i]);
        }
        Some(Nearest { shares, squared })
    }
}

/// Solves a positive definite system of up to three unknowns; none if it is singular.
fn solve(
    mut a: [[f64; CORNERS - 1]; CORNERS - 1],
    mut b: [f64; CORNERS - 1],
    n: usize,
) -> Option<[f64; CORNERS - 1]> {
    /// Flatter faces, by the square, are left to their own faces.
    const FLAT: f64 = 1e-13;
    for step in 0..n {
        let size = a[step][step];
        if size.is_nan() || size <= FLAT * (0..n).map(|i| a[i][i]).fold(0.0, f64::max) {
            return None;
        }
        let (pivot, right) = (a[step], b[step]);
        for (row, b) in a[..n].iter_mut().zip(&mut b).skip(step + 1) {
            let factor = row[step] / size;
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            *b -= factor * right;
        }
    }
    for step in (0..n).rev() {
        let known: f64 = (step + 1..n).map(|j| a[step][j] * b[j]).sum();
        b[step] = (b[step] - known) / a[step][step];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a fine grid of shares: no position of it is nearer, and one is nearly as near.
        #[test]
        fn no_position_is_nearer(corners in 2_usize..5, seed in 0.0_f64..100.0) {
            let wave = |i: usize| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin();
            let dims = 5;
            let vertices: Vec<Vec<f64>> =
                (0..corners).map(|c| (0..dims).map(|d| wave(7 * c + d)).collect()).collect();
            let x: Vec<f64> = (0..dims).map(|d| 1.5 * wave(100 + d)).collect();
            let edge = |c: usize| -> Vec<f64> {
                vertices[c].iter().zip(&vertices[0]).map(|(a, b)| a - b).collect()
            };
            let edges: Vec<Vec<f64>> = (1..corners).map(edge).collect();
            let mut along = [0.0; CORNERS];
            for (c, edge) in edges.iter().enumerate() {
                along[c + 1] = edge.iter().zip(&x).zip(&vertices[0]).map(|((e, x), v)| e * (x - v)).sum();
            }
            let found_at = Simplex::new(&edges).nearest(&along);
            let squared = |shares: &[f64]| -> f64 {
                (0..dims)
                    .map(|d| {
                        let position: f64 = (0..corners).map(|c| shares[c] * vertices[c][d]).sum();
                        (x[d] - position).powi(2)
                    })
                    .sum()
            };
            let found = squared(&found_at.shares);
            let first: f64 = x.iter().zip(&vertices[0]).map(|(x, v)| (x - v).powi(2)).sum();
            prop_assert!((found - first - found_at.squared).abs() < 1e-12);
            prop_assert!((found_at.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let steps = 20_usize;
            let mut nearest = f64::INFINITY;
            for code in 0..(steps + 1).pow(corners as u32 - 1) {
                let mut shares = vec![0.0; corners];
                let (mut code, mut rest) = (code, 1.0);
                for share in &mut shares[1..] {
                    *share = (code % (steps + 1)) as f64 / steps as f64;
                    rest -= *share;
                    code /= steps + 1;
                }
                if rest > -1e-9 {
                    shares[0] = rest;
                    nearest = nearest.min(squared(&shares));
                }
            }
            prop_assert!(found <= nearest + 1e-12, "{found} {nearest}");
            prop_assert!(nearest - found < 0.2);
        }
    }

    #[test]
    fn a_flat_triangle_is_a_segment() {
        let simplex = Simplex::new(&[vec![1.0, 0.0], vec![2.0, 0.0]]);
        let nearest = simplex.nearest(&[0.0, 1.5, 3.0, 0.0]); // x = (1.5, anything)
        let position = nearest.shares[1] + 2.0 * nearest.shares[2];
        assert!((position - 1.5).abs() < 1e-12);
    }
}
