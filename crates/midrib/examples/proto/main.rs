mod algo;
mod data;
mod skel;
use rayon::prelude::*;
use std::sync::Mutex;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let list = &args[1];
    let filter = args.get(2).cloned().unwrap_or_default();
    let step: usize = args.get(3).and_then(|x| x.parse().ok()).unwrap_or(1);
    let offset: usize = args.get(4).and_then(|x| x.parse().ok()).unwrap_or(0);
    let verbose = std::env::var("V").is_ok();
    let dir = std::path::Path::new(list).parent().unwrap().to_owned();
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    let rows: Vec<_> = rows
        .into_iter()
        .enumerate()
        .filter(|(i, r)| {
            i % step == offset % step
                && (filter.is_empty() || r["tag"].as_str().unwrap().contains(&filter))
        })
        .map(|(_, r)| r)
        .collect();
    let out = Mutex::new(Vec::new());
    rows.par_iter().enumerate().for_each(|(i, r)| {
        let x = data::read_npy(&dir.join(r["file"].as_str().unwrap()));
        let t = std::time::Instant::now();
        let found = std::panic::catch_unwind(|| algo::structure(&x, verbose))
            .unwrap_or_else(|_| algo::Found { counts: [9999; 4], ..Default::default() });
        let sec = t.elapsed().as_secs_f64();
        let ok = if r["truth"].is_string() {
            found.nothing
        } else {
            let t = r["truth"].as_array().unwrap();
            !found.nothing
                && (0..4)
                    .all(|k| t[k].is_null() || t[k].as_u64().unwrap() as usize == found.counts[k])
        };
        let line = format!(
            "{} {:<34} truth {} got {:?}{} s {:.4}/{:.4} {:.2}s {} {}",
            if ok { "ok   " } else { "WRONG" },
            r["tag"].as_str().unwrap(),
            r["truth"],
            found.counts,
            if found.nothing { " NOTHING" } else { "" },
            found.s,
            r["sd"].as_f64().unwrap(),
            sec,
            found.note,
            r["file"]
        );
        out.lock().unwrap().push((i, ok, r["tag"].as_str().unwrap().to_owned(), line, sec));
    });
    let mut out = out.into_inner().unwrap();
    out.sort_by_key(|o| o.0);
    for o in &out {
        if !o.1 || verbose {
            println!("{}", o.3);
        }
    }
    let mut by: std::collections::BTreeMap<String, (usize, usize)> = Default::default();
    for o in &out {
        for key in o.2.split('|').enumerate().map(|(i, k)| format!("{i}:{k}")) {
            let e = by.entry(key).or_default();
            e.0 += o.1 as usize;
            e.1 += 1;
        }
    }
    for (k, (a, b)) in by {
        print!("{k} {a}/{b}; ");
    }
    println!(
        "\nALL {}/{} = {:.3}, {:.1} s",
        out.iter().filter(|o| o.1).count(),
        out.len(),
        out.iter().filter(|o| o.1).count() as f64 / out.len() as f64,
        out.iter().map(|o| o.4).sum::<f64>()
    );
}
