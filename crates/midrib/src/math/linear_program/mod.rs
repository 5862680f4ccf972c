//! The linear program behind l1 graphs: rows rebuilt from one another by weights on pairs.
//!
//! Over the weights `w` of given pairs of rows, `w` at least its lower bound, it minimizes
//!
//! ```text
//! Σ_{pairs {a,b}} cost_ab · w_ab + deviation_weight · Σ_a ‖row_a − Σ_b w_ab · row_b‖₁
//! ```
//!
//! With `M` the matrix that maps weights to rebuilt rows and `u` one multiplier per value, the
//! dual is: maximize `Σ_a row_a · u_a` where `|u| ≤ deviation_weight` and `Mᵀu ≤ cost`. Any
//! weights give an upper bound of the value, any admissible `u` a lower one, so every answer
//! carries its own proof: the duality gap.
//!
//! | file | what |
//! |---|---|
//! | `program` | [`PairProgram`]: the problem, its scale and the choice of the solver |
//! | `pair_matrix` | `M`, its undecided part, and products with them |
//! | `interior_point`, `iterate` | predictor and corrector steps |
//! | `shrink`, `undecided`, `part` | steps on what is undecided alone, all else fixed and checked |
//! | `newton`, `condensed` | one step's linear system, condensed on the pairs or on the rows |
//! | `by_pairs`, `by_rows` | the two condensed matrices |
//! | `long_vectors` | loops over all pairs or values |
//! | `certificate` | value, bound and gap of any weights and multipliers |
//! | `mapping` | what the interior point asks of a program, which may be of another kind: |
//! | `small_program` | [`SmallProgram`]: one target, few columns, signed weights |
//! | `vertex_walk`, `support`, `edge_lengths` | its solution by steps from vertex to vertex, tried first |
//! | `dense_matrix`, `dense_newton`, `dense_cholesky` | its matrix, and one Schur complement a step |
//! | `reference` | either program in Clarabel |
//! | `simd` | wide instructions where the processor has them |

mod by_pairs;
mod by_rows;
mod certificate;
mod condensed;
mod dense_cholesky;
mod dense_matrix;
mod dense_newton;
mod edge_lengths;
mod interior_point;
mod iterate;
mod long_vectors;
mod mapping;
mod newton;
mod pair_matrix;
mod part;
mod program;
mod reference;
mod shrink;
mod small_program;
mod support;
#[cfg(test)]
mod tests;
mod undecided;
mod vertex_walk;

pub use program::{Optimum, PairProgram, Status};
pub use small_program::{SmallOptimum, SmallProgram};
