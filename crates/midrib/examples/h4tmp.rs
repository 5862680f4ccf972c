use midrib::learn::{Given, method};
use midrib::{Distances, Points, Silent, math::Matrix};
use std::io::Write;
fn read(p: &str) -> (Vec<f64>, usize) {
    let s = std::fs::read(p).unwrap();
    let d = u64::from_le_bytes(s[..8].try_into().unwrap()) as usize;
    (s[8..].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect(), d)
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let s: serde_json::Value = serde_json::from_str(&a[2]).unwrap();
    let (v, d) = read(&a[3]);
    let p = Points::from_f64(v, d).unwrap();
    let t = std::time::Instant::now();
    let m = method(&a[1]).unwrap().parse(&s).unwrap();
    let f = if a.len() > 6 {
        let n = p.len();
        let mut x = Matrix::zeros(n, n);
        let mut r = vec![0.0; d];
        let mut q = vec![0.0; d];
        for i in 0..n {
            p.copy_row(i, &mut r);
            for j in 0..n {
                p.copy_row(j, &mut q);
                x.row_mut(i)[j] = midrib::math::squared_distance(&r, &q).sqrt();
            }
        }
        m.fit_distances(&Distances::new(x).unwrap(), Given::default(), &mut Silent)
    } else {
        m.fit(&p, Given::default(), &mut Silent)
    };
    let f = match f {
        Ok(f) => f,
        Err(e) => {
            eprintln!("ERR {e}");
            std::process::exit(1)
        }
    };
    eprintln!(
        "{} {:.2}s iter {} end {:?} {:?} {:?} {:?}",
        a[1],
        t.elapsed().as_secs_f64(),
        f.iterations,
        f.end,
        f.trace.last(),
        f.chosen(),
        f.notes
    );
    let t = std::time::Instant::now();
    let mut o = std::fs::File::create(&a[5]).unwrap();
    let z = &f.object.embedding().unwrap().coordinates;
    for x in z.as_slice() {
        o.write_all(&x.to_le_bytes()).unwrap();
    }
    if a[4] != "-" {
        let (v, d) = read(&a[4]);
        let p = Points::from_f64(v, d).unwrap();
        let z = f.object.embed(&p).unwrap().unwrap();
        for x in z.as_slice() {
            o.write_all(&x.to_le_bytes()).unwrap();
        }
        eprintln!("transform {:.2}s", t.elapsed().as_secs_f64());
    }
}
