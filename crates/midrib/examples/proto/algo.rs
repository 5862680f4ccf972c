use crate::data::Data;
use crate::skel::{Skel, dist2, refit};
use midrib::learn::{Acceleration, AutoOr, Given, Method, NodeCount, SimplePpt, Tips};
use midrib::{Points, Silent};
use std::collections::BTreeMap;

#[derive(Default, Clone)]
pub struct Found {
    pub counts: [usize; 4],
    pub nothing: bool,
    pub s: f64,
    pub note: String,
}

fn par(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|x| x.parse().ok()).unwrap_or(default)
}

fn sample(x: &Data, most: usize) -> Data {
    if x.n <= most {
        return x.clone();
    }
    let mut v = Vec::with_capacity(most * x.d);
    for i in 0..most {
        v.extend_from_slice(x.row(i * x.n / most));
    }
    Data { n: most, d: x.d, v }
}

fn ppt(x: &Data, nodes: usize, sigma: Option<f64>, lambda: Option<f64>) -> midrib::learn::Fit {
    let points = Points::from_f64(x.v.clone(), x.d).unwrap();
    let settings = SimplePpt {
        n_nodes: NodeCount::Exactly(nodes),
        bandwidth: sigma.map_or(AutoOr::Auto, AutoOr::Fixed),
        length_penalty: lambda.map_or(AutoOr::Auto, AutoOr::Fixed),
        tips: Tips::Keep,
        acceleration: Acceleration::Anderson,
        max_iter: 40,
        ..SimplePpt::default()
    };
    settings.fit(&points, Given::default(), &mut Silent).unwrap()
}

fn skel_of(fit: &midrib::learn::Fit) -> Skel {
    let g = fit.graph().unwrap();
    Skel {
        d: g.nodes().n_cols(),
        y: g.nodes().rows().map(|r| r.to_vec()).collect(),
        edges: g.edges().iter().map(|e| (e.a, e.b)).collect(),
    }
}

/// erf-based normal distribution function.
fn phi(z: f64) -> f64 {
    // Abramowitz-Stegun 7.1.26, error 1.5e-7
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.3275911 * x);
    let e = 1.0
        - (((((1.061405429 * t - 1.453152027) * t) + 1.421413741) * t - 0.284496736) * t
            + 0.254829592)
            * t
            * (-x * x).exp();
    if z >= 0.0 { 0.5 * (1.0 + e) } else { 0.5 * (1.0 - e) }
}

/// log density (without constants) of x under a uniform segment a..b with noise s.
fn log_segment(x: &[f64], a: &[f64], b: &[f64], s: f64) -> f64 {
    let (mut ab2, mut ax, mut ax2) = (0.0, 0.0, 0.0);
    for j in 0..x.len() {
        let u = b[j] - a[j];
        let v = x[j] - a[j];
        ab2 += u * u;
        ax += u * v;
        ax2 += v * v;
    }
    let len = ab2.sqrt();
    if len < 1e-9 * s {
        return -ax2 / (2.0 * s * s) - (s * 2.5066).ln();
    }
    let t = ax / len;
    let q = (ax2 - t * t).max(0.0);
    // the integral along; for far points use the nearest end
    let along = if t < -5.0 * s {
        -t * t / (2.0 * s * s) - (s * 2.5066).ln()
    } else if t > len + 5.0 * s {
        -(t - len) * (t - len) / (2.0 * s * s) - (s * 2.5066).ln()
    } else {
        ((phi(t / s) - phi((t - len) / s)).max(1e-9) / len).ln()
    };
    -q / (2.0 * s * s) + along
}

/// Mixture over the edges of a skeleton.
pub struct Mix {
    pub w: Vec<f64>,
    pub p: Vec<f32>,
    pub off: Vec<f64>,
    pub tot: Vec<f64>,
    pub floor: Vec<f64>,
}

/// p[i*E+e] = density relative to off[i]; floor: outlier density
fn mixture(sk: &Skel, x: &Data, s: f64, rounds: usize, cap: f64) -> Mix {
    let m = sk.edges.len();
    let mut p = vec![0f32; x.n * m];
    let mut off = vec![0.0; x.n];
    let mut row = vec![0.0; m];
    let total = sk.length();
    let mut floor = vec![0.0; x.n];
    let mut w: Vec<f64> = vec![0.0; m];
    for i in 0..x.n {
        let mut best = f64::NEG_INFINITY;
        let mut at = 0;
        for (e, &(a, b)) in sk.edges.iter().enumerate() {
            row[e] = log_segment(x.row(i), &sk.y[a], &sk.y[b], s);
            if row[e] > best {
                best = row[e];
                at = e;
            }
        }
        off[i] = best;
        w[at] += 1.0;
        for e in 0..m {
            p[i * m + e] = (row[e] - best).exp() as f32;
        }
        floor[i] = 0.01 * (-cap - best).min(50.0).exp() / total;
    }
    for e in 0..m {
        w[e] = (w[e] + 0.5 * x.n as f64 * sk.len(e) / total * 0.02) / x.n as f64;
    }
    let sw: f64 = w.iter().sum();
    for v in &mut w {
        *v /= sw;
    }
    let mut tot = vec![0.0; x.n];
    for r in 0..=rounds {
        let mut next = vec![0.0; m];
        let mut used = 0.0;
        for i in 0..x.n {
            let pi = &p[i * m..(i + 1) * m];
            let t: f64 = pi.iter().zip(&w).map(|(p, w)| *p as f64 * w).sum();
            tot[i] = t;
            let inl = t / (t + floor[i]);
            used += inl;
            for e in 0..m {
                next[e] += inl * w[e] * pi[e] as f64 / t.max(1e-300);
            }
        }
        if r < rounds {
            for e in 0..m {
                w[e] = next[e] / used;
            }
        }
    }
    Mix { w, p, off, tot, floor }
}

impl Mix {
    /// loss of log likelihood where these edges are removed and their points go to the others
    fn removal(&self, set: &[usize]) -> f64 {
        let m = self.w.len();
        let n = self.tot.len();
        let mut inset = vec![false; m];
        for &e in set {
            inset[e] = true;
        }
        let mut gain = vec![0.0; m];
        let mut touched = Vec::new();
        for i in 0..n {
            let pi = &self.p[i * m..(i + 1) * m];
            let a: f64 = set.iter().map(|&e| self.w[e] * pi[e] as f64).sum();
            if a < 1e-6 * self.tot[i] {
                continue;
            }
            let b = self.tot[i] - a;
            touched.push((i, a));
            let share = a / (self.tot[i] + self.floor[i]);
            let bf = b + self.floor[i];
            for e in 0..m {
                if !inset[e] {
                    let q = self.w[e] * pi[e] as f64;
                    if q > 0.0 {
                        gain[e] += share * q / bf.max(1e-300) / n as f64;
                    }
                }
            }
        }
        let mut loss = 0.0;
        for &(i, a) in &touched {
            let pi = &self.p[i * m..(i + 1) * m];
            let extra: f64 = (0..m).filter(|&e| !inset[e]).map(|e| gain[e] * pi[e] as f64).sum();
            let b = (self.tot[i] - a).max(0.0);
            loss +=
                (self.tot[i] + self.floor[i]).ln() - (b + extra + self.floor[i]).max(1e-300).ln();
        }
        loss
    }
}

/// noise per transverse dimension
fn noise(sk: &Skel, x: &Data, trim: f64) -> f64 {
    let mut res: Vec<(f64, Vec<f64>)> = (0..x.n)
        .map(|i| {
            let (e, t, q) = sk.nearest(x.row(i));
            let (a, b) = sk.edges[e];
            (q, (0..x.d).map(|j| x.row(i)[j] - (1.0 - t) * sk.y[a][j] - t * sk.y[b][j]).collect())
        })
        .collect();
    res.sort_by(|a, b| a.0.total_cmp(&b.0));
    let keep = ((1.0 - trim) * x.n as f64) as usize;
    res.truncate(keep.max(3));
    if res.len() > 1000 {
        let k = res.len();
        res = (0..1000).map(|i| res[i * k / 1000].clone()).collect();
    }
    let ms = res.iter().map(|r| r.0).sum::<f64>() / res.len() as f64;
    let d = x.d;
    let mut g = vec![0.0; d * d];
    for (_, r) in &res {
        for a in 0..d {
            for b in 0..d {
                g[a * d + b] += r[a] * r[b];
            }
        }
    }
    let tr: f64 = (0..d).map(|a| g[a * d + a]).sum();
    let t2: f64 = g.iter().map(|v| v * v).sum();
    let m = if t2 > 0.0 { (tr * tr / t2 - 1.0).max(1.0) } else { 1.0 };
    (ms / m).sqrt()
}

fn remove_edges(sk: &Skel, set: &[usize]) -> Skel {
    let mut keep = vec![true; sk.edges.len()];
    for &e in set {
        keep[e] = false;
    }
    let s = Skel {
        d: sk.d,
        y: sk.y.clone(),
        edges: sk.edges.iter().enumerate().filter(|(e, _)| keep[*e]).map(|(_, &p)| p).collect(),
    };
    s.compact(&|_| false)
}

/// twigs: terminal branches that hang on a branch point: (edges, length)
fn twigs(sk: &Skel) -> Vec<(Vec<usize>, f64)> {
    let adj = sk.adj();
    sk.branches()
        .into_iter()
        .filter(|(nodes, _)| {
            let (a, b) = (nodes[0], *nodes.last().unwrap());
            (adj[a].len() == 1) != (adj[b].len() == 1)
        })
        .map(|(_, edges)| {
            let l = edges.iter().map(|&e| sk.len(e)).sum();
            (edges, l)
        })
        .collect()
}

fn resample(sk: &Skel, h: f64) -> Skel {
    // every branch gets evenly spaced nodes about h apart
    let adj = sk.adj();
    let mut out = Skel { d: sk.d, y: vec![], edges: vec![] };
    let mut map: BTreeMap<usize, usize> = BTreeMap::new();
    for k in 0..sk.y.len() {
        if adj[k].len() != 2 {
            map.insert(k, out.y.len());
            out.y.push(sk.y[k].clone());
        }
    }
    for (nodes, _) in sk.branches() {
        let first = nodes[0];
        if !map.contains_key(&first) {
            map.insert(first, out.y.len());
            out.y.push(sk.y[first].clone());
        }
        let last = *nodes.last().unwrap();
        let mut cum = vec![0.0];
        for w in nodes.windows(2) {
            cum.push(cum.last().unwrap() + dist2(&sk.y[w[0]], &sk.y[w[1]]).sqrt());
        }
        let total = *cum.last().unwrap();
        let mut k = ((total / h).round() as usize).max(1);
        if first == last {
            k = k.max(3);
        }
        let mut before = map[&first];
        for j in 1..=k {
            let at = if j == k {
                map.get(&last).copied().unwrap_or_else(|| {
                    out.y.push(sk.y[last].clone());
                    map.insert(last, out.y.len() - 1);
                    out.y.len() - 1
                })
            } else {
                let t = total * j as f64 / k as f64;
                let s = cum.partition_point(|&c| c < t).clamp(1, cum.len() - 1);
                let u = if cum[s] > cum[s - 1] {
                    (t - cum[s - 1]) / (cum[s] - cum[s - 1])
                } else {
                    0.0
                };
                out.y.push(
                    (0..sk.d)
                        .map(|j| sk.y[nodes[s - 1]][j] * (1.0 - u) + sk.y[nodes[s]][j] * u)
                        .collect(),
                );
                out.y.len() - 1
            };
            if at != before {
                out.edges.push((before, at));
            }
            before = at;
        }
    }
    let mut e: Vec<_> = out.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    e.sort();
    e.dedup();
    out.edges = e;
    out
}

/// Void runs: the run of edges with the lowest log odds of "goes on" against "nothing".
fn worst_run(sk: &Skel, mix: &Mix, s: f64) -> Option<(Vec<usize>, f64)> {
    let n = mix.tot.len();
    let m = sk.edges.len();
    let adj = sk.adj();
    let mut best: Option<(Vec<usize>, f64)> = None;
    for (nodes, edges) in sk.branches() {
        let lens: Vec<f64> = edges.iter().map(|&e| sk.len(e)).collect();
        let k = edges.len();
        for i in 0..k {
            for j in i..k {
                let len: f64 = lens[i..=j].iter().sum();
                if len < 1.5 * s {
                    continue;
                }
                if len > par("VOIDLEN", 30.0) * s && j > i {
                    break;
                }
                // density on either side, within 8 s, at least one edge; at branch points over the other branches
                let side = |start: isize, step: isize| -> Option<f64> {
                    let (mut l, mut w, mut at) = (0.0, 0.0, start);
                    while at >= 0 && (at as usize) < k && l < 8.0 * s {
                        l += lens[at as usize];
                        w += mix.w[edges[at as usize]];
                        at += step;
                    }
                    if l < 8.0 * s {
                        let node = if step > 0 { nodes[k] } else { nodes[0] };
                        if adj[node].len() > 2 || l == 0.0 {
                            let (mut l2, mut w2) = (0.0, 0.0);
                            // other edges around this node, within 8 s
                            let own: std::collections::HashSet<usize> =
                                edges.iter().copied().collect();
                            let mut seen = std::collections::HashSet::new();
                            let mut stack = vec![(node, 0.0)];
                            while let Some((v, r)) = stack.pop() {
                                if !seen.insert(v) || r > 8.0 * s {
                                    continue;
                                }
                                for &(e, o) in &adj[v] {
                                    if !own.contains(&e) {
                                        if !seen.contains(&o) {
                                            l2 += sk.len(e);
                                            w2 += mix.w[e];
                                            stack.push((o, r + sk.len(e)));
                                        }
                                    }
                                }
                            }
                            l += l2;
                            w += w2;
                        }
                    }
                    if l > 0.0 { Some(w / l) } else { None }
                };
                let (l, r) = (side(i as isize - 1, -1), side(j as isize + 1, 1));
                let rho = match (l, r) {
                    (Some(l), Some(r)) => l.min(r),
                    _ => continue,
                };
                let w0 = par("VOIDSHARE", 0.5) * rho * len;
                let set = &edges[i..=j];
                let mut odds = -(n as f64) * w0;
                for q in 0..n {
                    let pi = &mix.p[q * m..(q + 1) * m];
                    let mut a = 0.0;
                    let mut pr = 0.0;
                    for (z, &e) in set.iter().enumerate() {
                        let v = pi[e] as f64;
                        a += mix.w[e] * v;
                        pr += v * lens[i + z] / len;
                    }
                    if pr * w0 < 1e-9 * mix.tot[q] {
                        continue;
                    }
                    let rest = (mix.tot[q] - a).max(0.0) + mix.floor[q];
                    odds += (1.0 + w0 * pr / rest.max(1e-300)).ln();
                }
                if best.as_ref().is_none_or(|b| odds < b.1) {
                    best = Some((set.to_vec(), odds));
                }
            }
        }
    }
    best
}

fn local_density(sk: &Skel, mix: &Mix, node: usize, reach: f64) -> f64 {
    let g = sk.geodesic(node);
    let (mut l, mut w) = (0.0, 0.0);
    for (e, &(a, b)) in sk.edges.iter().enumerate() {
        if g[a].min(g[b]) <= reach {
            l += sk.len(e);
            w += mix.w[e];
        }
    }
    if l > 0.0 { w / l } else { 0.0 }
}

fn unit(a: &[f64], b: &[f64]) -> Vec<f64> {
    let l = dist2(a, b).sqrt().max(1e-300);
    a.iter().zip(b).map(|(x, y)| (y - x) / l).collect()
}

/// The best pair of nodes to join: (a, b, log odds, distance)
fn best_join(
    sk: &Skel,
    mix: &Mix,
    x: &Data,
    s: f64,
    log: bool,
) -> Option<(usize, usize, f64, f64)> {
    let adj = sk.adj();
    let n = x.n;
    let tips: Vec<usize> = (0..sk.y.len()).filter(|&k| adj[k].len() == 1).collect();
    let mut best: Option<(usize, usize, f64, f64)> = None;
    for &t in &tips {
        let g = sk.geodesic(t);
        // nearest admissible node
        let mut cand: Vec<(f64, usize)> = (0..sk.y.len())
            .filter(|&k| {
                let d = dist2(&sk.y[t], &sk.y[k]).sqrt();
                k != t && g[k] >= (4.0 * d).max(par("LOOP", 12.0) * s)
            })
            .map(|k| (dist2(&sk.y[t], &sk.y[k]).sqrt(), k))
            .collect();
        cand.sort_by(|a, b| a.0.total_cmp(&b.0));
        for &(d, k) in cand.iter().take(3) {
            if d > par("JOINMAX", 12.0) * s {
                break;
            }
            let rho = local_density(sk, mix, t, 8.0 * s).min(local_density(sk, mix, k, 8.0 * s));
            let w0 = par("JOINSHARE", 0.5) * rho * d;
            let mut odds = -(n as f64) * w0;
            for q in 0..n {
                let lp = log_segment(x.row(q), &sk.y[t], &sk.y[k], s) - mix.off[q];
                if lp < -20.0 {
                    continue;
                }
                odds += (1.0 + w0 * lp.exp() / (mix.tot[q] + mix.floor[q])).ln();
            }
            // straightness: the branch's direction at the tip against the gap
            let before = {
                let mut at = t;
                let mut prev = usize::MAX;
                let mut l = 0.0;
                while l < 4.0 * s {
                    match adj[at].iter().find(|(_, o)| *o != prev) {
                        Some(&(e, o)) if adj[at].len() <= 2 => {
                            prev = at;
                            at = o;
                            l += sk.len(e);
                        }
                        _ => break,
                    }
                }
                at
            };
            let cos: f64 = unit(&sk.y[before], &sk.y[t])
                .iter()
                .zip(unit(&sk.y[t], &sk.y[k]))
                .map(|(a, b)| a * b)
                .sum();
            if log {
                eprintln!(
                    "   join {t}-{k} d {:.2}s loop {:.1}s odds {odds:.2} cos {cos:.2} tip {}",
                    d / s,
                    g[k] / s,
                    adj[k].len() == 1
                );
            }
            let near = d < par("NEAR", 2.0) * s;
            let good = odds > par("TJOIN", 2.0) || near;
            if good && best.is_none_or(|b| odds > b.2) {
                best = Some((t, k, odds, d));
            }
        }
    }
    best
}

pub fn structure(x: &Data, log: bool) -> Found {
    let x = &sample(x, par("MOST", 3000.0) as usize);
    let kk = 100.min(x.n / 3).max(2);
    let first = ppt(x, kk, None, None);
    let pilot = first.tuning.as_ref().map(|t| *t.pilot.last().unwrap());
    let Some(pilot) = pilot else { return Found::default() };
    let (s0, l0) = (pilot.noise, pilot.length);
    let chosen = |name: &str| {
        first.choices.iter().find(|c| c.setting == name).unwrap().value.as_f64().unwrap()
    };
    let (sigma, lambda) = (chosen("bandwidth"), chosen("length_penalty"));
    let k2 =
        ((l0 / (1.2 * s0)) as usize).clamp(30, par("KMAX", 150.0) as usize).min(x.n / 4).max(5);
    let f = par("EASE", 0.3);
    let fit = ppt(x, k2, Some(sigma), Some(f * lambda * k2 as f64 / kk as f64));
    let mut sk = skel_of(&fit);
    let bscale = par("BEND", 2.2);
    let smooth = |s: f64, sk: &Skel| (bscale * s).max(3.0 * sk.length() / x.n as f64);
    let mut s = s0;
    let cap2 = f64::INFINITY;
    refit(&mut sk, x, smooth(s, &sk), 5, cap2);
    s = noise(&sk, x, 0.0);
    let h = |s: f64, sk: &Skel| {
        (1.2 * s).max(4.0 * sk.length() / x.n as f64).max(sk.length() / par("KMAX", 150.0))
    };
    sk = resample(&sk, h(s, &sk));
    refit(&mut sk, x, smooth(s, &sk), 4, cap2);
    let s1 = noise(&sk, x, 0.0);
    s = s1;
    if log {
        eprintln!(
            "s0 {s0:.4} s1 {s:.4} l0 {l0:.3} K {k2} nodes {} length {:.3}",
            sk.y.len(),
            sk.length()
        );
    }
    let mut closed = false;
    let mut note = String::new();
    for round in 0..3 {
        // voids
        loop {
            let mix = mixture(&sk, x, s, 5, 20.0);
            match worst_run(&sk, &mix, s) {
                Some((set, odds)) => {
                    if log {
                        eprintln!(
                            "  round {round} void {} edges odds {odds:.2} len {:.2} s",
                            set.len(),
                            set.iter().map(|&e| sk.len(e)).sum::<f64>() / s
                        );
                    }
                    if odds > -par("TCUT", 4.5) {
                        break;
                    }
                    sk = remove_edges(&sk, &set);
                }
                None => break,
            }
            if sk.edges.is_empty() {
                break;
            }
        }
        if sk.edges.is_empty() {
            break;
        }
        // joins, then twigs
        if round > 0 {
            for _ in 0..10 {
                let mix = mixture(&sk, x, s, 5, 20.0);
                let Some((a, b, odds, d)) = best_join(&sk, &mix, x, s, log) else { break };
                if log {
                    eprintln!("  round {round} JOIN {a}-{b} odds {odds:.2} d {:.2} s", d / s);
                }
                closed = true;
                sk.edges.push((a, b));
            }
            if closed {
                sk = resample(&sk, h(s, &sk));
                refit(&mut sk, x, smooth(s, &sk), 4, cap2);
            }
        }
        let mut pruned = false;
        loop {
            let mix = mixture(&sk, x, s, 5, 20.0);
            let mut weakest: Option<(f64, Vec<usize>, f64)> = None;
            for (set, len) in twigs(&sk) {
                let loss = mix.removal(&set);
                if weakest.as_ref().is_none_or(|w| loss < w.0) {
                    weakest = Some((loss, set, len));
                }
            }
            // whole components of hardly any weight
            let comp = sk.components();
            let ids: std::collections::BTreeSet<usize> =
                sk.edges.iter().map(|e| comp[e.0]).collect();
            if ids.len() > 1 {
                for id in ids {
                    let set: Vec<usize> =
                        (0..sk.edges.len()).filter(|&e| comp[sk.edges[e].0] == id).collect();
                    let share: f64 = set.iter().map(|&e| mix.w[e]).sum();
                    if share < 0.02 {
                        weakest = Some((0.0, set, 0.0));
                    }
                }
            }
            let Some((loss, set, len)) = weakest else { break };
            if log {
                eprintln!(
                    "  round {round} twig loss {loss:.1} len {:.2} s, {} edges",
                    len / s,
                    set.len()
                );
            }
            if loss > par("TWIG", 20.0) {
                break;
            }
            sk = remove_edges(&sk, &set);
            pruned = true;
        }
        if pruned || round == 0 {
            sk = resample(&sk, h(s, &sk));
            refit(&mut sk, x, smooth(s, &sk), 5, cap2);
        }
        s = noise(&sk, x, 0.0);
        if log {
            eprintln!("  round {round} s {s:.4} counts {:?}", counts(&sk, 0.0));
        }
    }
    if sk.edges.is_empty() {
        return Found { counts: [0; 4], s, note, ..Default::default() };
    }
    let c = counts(&sk, par("CROSS", 3.0) * s);
    if s1 > 0.0 {
        note.push_str(&format!("len {:.1}s", sk.length() / s));
    }
    Found { counts: c, nothing: false, s, note }
}

/// tips, branch points, loops, components; branch points joined by less than `near` are one.
fn counts(sk: &Skel, near: f64) -> [usize; 4] {
    let comp = sk.components();
    let comps: std::collections::BTreeSet<usize> = comp.iter().copied().collect();
    let adj = sk.adj();
    let tips = adj.iter().filter(|a| a.len() == 1).count();
    let branch: Vec<usize> = (0..sk.y.len()).filter(|&k| adj[k].len() > 2).collect();
    let mut p: Vec<usize> = (0..sk.y.len()).collect();
    for (nodes, edges) in sk.branches() {
        let (a, b) = (nodes[0], *nodes.last().unwrap());
        if a != b
            && adj[a].len() > 2
            && adj[b].len() > 2
            && edges.iter().map(|&e| sk.len(e)).sum::<f64>() < near
        {
            let (ra, rb) = (p[a], p[b]);
            if ra != rb {
                for q in p.iter_mut() {
                    if *q == ra {
                        *q = rb;
                    }
                }
            }
        }
    }
    let groups: std::collections::BTreeSet<usize> = branch.iter().map(|&b| p[b]).collect();
    [tips, groups.len(), sk.edges.len() + comps.len() - sk.y.len(), comps.len()]
}
