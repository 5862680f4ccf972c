//! Numerical building blocks that know nothing of principal graphs. Words, not letters.

mod anderson;
mod bit_basis;
mod conjugate_gradients;
mod laplacian;
mod linear_program;
mod matrix;
mod products;
mod quasi_newton;
mod selected_inverse;
mod sets;
pub(crate) mod skinny;
mod soft_min;
mod space_tree;
mod sparse_rows;
mod top_eigen;
mod tree_solve;

pub use anderson::Anderson;
pub(crate) use bit_basis::BitBasis;
pub(crate) use conjugate_gradients::conjugate_gradients;
pub(crate) use laplacian::laplacian_apply;
pub(crate) use linear_program::Cholesky;
pub use linear_program::{Optimum, PairProgram, Status};
pub use matrix::{Matrix, squared_distance};
pub(crate) use products::{times, transposed_times};
pub(crate) use quasi_newton::{Bounded, QuasiNewton, Slope, violation};
pub(crate) use selected_inverse::SelectedInverse;
pub(crate) use sets::Sets;
pub(crate) use soft_min::exp_in_place;
pub use soft_min::{SoftMax, soft_max_in_place};
pub use space_tree::SpaceTree;
pub(crate) use space_tree::{Best, Nearest};
pub(crate) use sparse_rows::SparseRows;
pub(crate) use top_eigen::top_eigen;
pub(crate) use tree_solve::TreeFactor;
pub use tree_solve::tree_solve;
