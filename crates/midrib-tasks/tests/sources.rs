//! A fit of a source that is read chunk by chunk is that of the table in memory.
#![allow(clippy::unwrap_used)]

use midrib::learn::method;
use midrib::{Blocks, Silent};
use midrib_io::{MappedNpy, ReadOptions, read};
use midrib_tasks::{FitRequest, fit, summarize};
use serde_json::json;

/// A bent band of 1,500 points, as numpy.save writes it.
fn npy() -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header =
        format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (1500, 3), }");
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    for i in 0..1500_u32 {
        let t = f64::from(i * 7 % 1500) / 500.0;
        let across = f64::from(i % 13) / 40.0;
        bytes.extend([t, t.sin(), across].iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes
}

#[test]
fn a_mapped_file_gives_the_model_of_the_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("band.npy");
    std::fs::write(&path, npy()).unwrap();
    let table = read(&path, &ReadOptions::default()).unwrap();
    let mapped = MappedNpy::open(&path).unwrap();
    for (name, settings) in [
        ("ppt", json!({"n_nodes": 20})),
        ("elastic-curve", json!({"n_nodes": 12})),
        ("elastic-map", json!({"sides": "6x3"})),
        ("kmeans", json!({"n_clusters": 5})),
        ("pca", json!({})),
    ] {
        let method = method(name).unwrap().parse(&settings).unwrap();
        let learned = |points: &dyn Blocks| {
            let mut request = FitRequest::new(&*method, points, table.features.clone());
            request.input.file = "band.npy".into();
            fit(request, &mut Silent).unwrap()
        };
        let (held, found) = (learned(&table.points), learned(&mapped));
        let text = |model| serde_json::to_string(model).unwrap();
        assert_eq!(text(&found.model), text(&held.model), "{name}");
        assert_eq!(found.located, held.located, "{name}");
        assert_eq!(json!(summarize(&found.model).unwrap()), json!(summarize(&held.model).unwrap()));
    }
}
