use super::*;

fn synth(shape: Shape, n: usize, dims: usize, noise: f64, seed: u64) -> Sample {
    Synth { shape, n, dims, noise, seed }.generate().unwrap()
}

fn values(sample: &Sample) -> Vec<f64> {
    let dims = sample.points.dims();
    let mut values = vec![0.0; sample.points.len() * dims];
    for (i, row) in values.chunks_mut(dims).enumerate() {
        sample.points.copy_row(i, row);
    }
    values
}

#[test]
fn a_seed_gives_the_same_points() {
    for entry in Shape::ALL {
        let first = synth(entry.shape, 50, 4, 0.1, 7);
        assert_eq!(values(&first), values(&synth(entry.shape, 50, 4, 0.1, 7)));
        assert_ne!(values(&first), values(&synth(entry.shape, 50, 4, 0.1, 8)));
    }
}

#[test]
fn noise_and_number_do_not_change_the_rest() {
    let shape = Shape::Tree { branch_points: 2 };
    let first = synth(shape, 50, 3, 0.1, 7);
    let other = synth(shape, 80, 3, 0.3, 7);
    assert_eq!(first.truth.nodes(), other.truth.nodes());
    assert_eq!(first.clean.as_slice(), &other.clean.as_slice()[..150]);
}

#[test]
fn skeletons_have_the_right_topology() {
    for (shape, dims, tips, branches, loops, components) in [
        (Shape::S, 2, 2, 1, 0, 1),
        (Shape::Spiral, 3, 2, 1, 0, 1),
        (Shape::Circle, 2, 0, 1, 1, 1),
        (Shape::TwoMoons, 10, 4, 2, 0, 2),
        (Shape::ThreeClusters, 2, 0, 3, 0, 3),
        (Shape::Zigzag, 2, 2, 1, 0, 1),
        (Shape::Helix, 3, 2, 1, 0, 1),
        (Shape::SwissRoll, 3, 2, 1, 0, 1),
        (Shape::Tree { branch_points: 0 }, 2, 2, 1, 0, 1),
        (Shape::Tree { branch_points: 1 }, 2, 3, 3, 0, 1),
        (Shape::Tree { branch_points: 6 }, 2, 8, 13, 0, 1),
        (Shape::Tree { branch_points: 6 }, 50, 8, 13, 0, 1),
    ] {
        let sample = synth(shape, 300, dims, 0.05, 3);
        let truth = &sample.truth;
        assert_eq!(truth.tips().len(), tips, "tips of {shape}");
        assert_eq!(truth.branches().len(), branches, "branches of {shape}");
        assert_eq!(truth.loops(), loops, "loops of {shape}");
        assert_eq!(truth.components().count, components, "components of {shape}");
        assert_eq!(truth.mass().iter().sum::<f64>(), 300.0);
        assert_eq!(sample.branch.iter().max(), Some(&(branches - 1)));
    }
}

#[test]
fn clean_points_are_on_the_truth() {
    for entry in Shape::ALL {
        let sample = synth(entry.shape, 200, 5, 0.1, 2);
        let clean = Points::from_f64(sample.clean.as_slice().to_vec(), 5).unwrap();
        let projection = sample.truth.project(&clean).unwrap();
        let farthest = projection.distance.iter().copied().fold(0.0, f64::max);
        let aside = if entry.shape == Shape::SwissRoll { 1.05 } else { 0.0 };
        assert!(farthest < aside + 1e-12 && farthest >= 0.9 * aside, "{farthest}");
        assert_eq!(projection.edge, sample.edge);
        assert_eq!(projection.branch(&sample.truth), sample.branch);
        for (found, drawn) in projection.edge_pos.iter().zip(&sample.edge_pos) {
            assert!((found - drawn).abs() < 1e-9);
        }
    }
}

#[test]
fn positions_are_uniform_along_the_length() {
    let sample = synth(Shape::Tree { branch_points: 6 }, 100_000, 2, 0.0, 1);
    let total = sample.truth.length();
    for (number, edge) in sample.truth.edges().iter().enumerate() {
        let on_it: Vec<f64> = (0..100_000)
            .filter(|&i| sample.edge[i] == Some(number))
            .map(|i| sample.edge_pos[i])
            .collect();
        let share = on_it.len() as f64 / 100_000.0;
        assert!((share - edge.length / total).abs() < 0.005);
        let mean = on_it.iter().sum::<f64>() / on_it.len() as f64;
        assert!((mean - 0.5).abs() < 0.02);
    }
}

#[test]
fn noise_has_the_given_strength() {
    for (dims, total) in [(2, 2.0), (3, 3.0), (10, 3.0), (50, 3.0)] {
        let sample = synth(Shape::Circle, 20_000, dims, 0.15, 4);
        let noise = crate::math::squared_distance(&values(&sample), sample.clean.as_slice());
        let per_point = noise / 20_000.0 / (0.15 * 0.15);
        assert!((per_point / total - 1.0).abs() < 0.03, "{dims}: {per_point}");
    }
}

#[test]
fn embedding_preserves_distances() {
    let plane = synth(Shape::Spiral, 1, 2, 0.0, 4);
    let space = synth(Shape::Spiral, 1, 20, 0.0, 4);
    for (flat, turned) in plane.truth.edges().iter().zip(space.truth.edges()) {
        assert!((flat.length - turned.length).abs() < 1e-12);
    }
}

#[test]
fn invalid_settings_are_errors() {
    let valid = Synth { shape: Shape::Helix, n: 10, dims: 3, noise: 0.1, seed: 0 };
    let message = |synth: Synth| synth.generate().unwrap_err().to_string();
    assert_eq!(message(Synth { n: 0, ..valid }), "n = 0: must be at least 1");
    assert_eq!(
        message(Synth { dims: 2, ..valid }),
        "dims = 2: the shape \"helix\" needs at least 3"
    );
    for noise in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(message(Synth { noise, ..valid }).ends_with("must be finite and at least 0"));
    }
    let error = "torus".parse::<Shape>().unwrap_err().to_string();
    assert!(error.starts_with("shape = \"torus\": must be one of tree, s, spiral"));
}
