//! The linear program behind l1 graphs: rows rebuilt from one another by weights on pairs.
//!
//! Over the weights `w` of given pairs of rows, `w` at least its lower bound, it minimises
//!
//! ```text
//! Σ_{pairs {a,b}} cost_ab · w_ab + deviation_weight · Σ_a ‖row_a − Σ_b w_ab · row_b‖₁
//! ```
//!
//! With `M` the matrix that maps weights to rebuilt rows and `u` one multiplier per value, the
//! dual is: maximise `Σ_a row_a · u_a` where `|u| ≤ deviation_weight` and `Mᵀu ≤ cost`. Any
//! weights give an upper bound of the value, any admissible `u` a lower one, so every answer
//! carries its own proof: the duality gap.
//!
//! | file | what |
//! |---|---|
//! | `program` | [`PairProgram`]: the problem, its scale and the choice of the solver |
//! | `pair_matrix` | products with `M` |
//! | `live_matrix` | the undecided part of `M` |
//! | `interior_point`, `iterate` | predictor and corrector steps |
//! | `shrink`, `part` | steps on what is undecided alone, all else fixed and checked |
//! | `newton`, `condensed` | one step's linear system, condensed on the pairs or on the rows |
//! | `by_pairs`, `by_rows` | the two condensed matrices |
//! | `minimum_degree`, `assembly_tree` | the order of the pairs, and the dense fronts of their factor |
//! | `front_factor` | the factor front by front, and solves with it |
//! | `dense_columns`, `dense_solve` | the same of one front |
//! | `filled_columns` | products with short columns |
//! | `tiles` | products of columns in registers, for small fronts |
//! | `long_vectors`, `spare` | loops over all pairs or values; room that is used again |
//! | `cholesky` | sparse factors of any pattern, by faer: that of the rows, and those of others |
//! | `layout`, `small_blocks` | where its numbers stand; factors of tiny blocks by loops |
//! | `subtrees`, `right_sides` | parts of it that threads share, and solves with these |
//! | `invert_columns` | a block of an inverse |
//! | `certificate` | value, bound and gap of any weights and multipliers |
//! | `mapping` | what the interior point asks of a program, which may be of another kind: |
//! | `small_program` | [`SmallProgram`]: one target, few columns, signed weights |
//! | `vertex_walk`, `support`, `edge_lengths` | its solution by steps from vertex to vertex, tried first |
//! | `dense_matrix`, `dense_newton`, `dense_cholesky` | its matrix, and one Schur complement a step |
//! | `reference` | either program in Clarabel |
//! | `simd` | wide instructions where the processor has them |

mod assembly_tree;
mod by_pairs;
mod by_rows;
mod certificate;
mod cholesky;
mod condensed;
mod dense_cholesky;
mod dense_columns;
mod dense_matrix;
mod dense_newton;
mod dense_solve;
mod edge_lengths;
mod filled_columns;
mod front_factor;
mod interior_point;
mod invert_columns;
mod iterate;
mod layout;
mod live_matrix;
mod long_vectors;
mod mapping;
mod minimum_degree;
mod newton;
mod pair_matrix;
mod part;
mod program;
mod reference;
mod right_sides;
mod shrink;
mod small_blocks;
mod small_program;
mod spare;
mod subtrees;
mod support;
#[cfg(test)]
mod tests;
mod tiles;
mod vertex_walk;

pub(crate) use cholesky::{Cholesky, FactorPattern};
pub(crate) use invert_columns::{InvertColumns, invert_columns};
pub(crate) use layout::{Block, Layout};
pub use program::{Optimum, PairProgram, Status};
pub use small_program::{SmallOptimum, SmallProgram};
