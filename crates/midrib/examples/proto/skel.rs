use crate::data::Data;
/// A skeleton: nodes and edges.
#[derive(Clone)]
pub struct Skel {
    pub d: usize,
    pub y: Vec<Vec<f64>>,
    pub edges: Vec<(usize, usize)>,
}

pub fn dist2(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

impl Skel {
    pub fn adj(&self) -> Vec<Vec<(usize, usize)>> {
        let mut adj = vec![Vec::new(); self.y.len()];
        for (e, &(a, b)) in self.edges.iter().enumerate() {
            adj[a].push((e, b));
            adj[b].push((e, a));
        }
        adj
    }
    pub fn len(&self, e: usize) -> f64 {
        let (a, b) = self.edges[e];
        dist2(&self.y[a], &self.y[b]).sqrt()
    }
    pub fn length(&self) -> f64 {
        (0..self.edges.len()).map(|e| self.len(e)).sum()
    }
    /// Drop nodes without edges (unless lone is wanted) and renumber.
    pub fn compact(&self, keep_lone: &dyn Fn(usize) -> bool) -> Skel {
        let mut used = vec![false; self.y.len()];
        for &(a, b) in &self.edges {
            used[a] = true;
            used[b] = true;
        }
        let mut map = vec![usize::MAX; self.y.len()];
        let mut y = Vec::new();
        for k in 0..self.y.len() {
            if used[k] || keep_lone(k) {
                map[k] = y.len();
                y.push(self.y[k].clone());
            }
        }
        Skel { d: self.d, y, edges: self.edges.iter().map(|&(a, b)| (map[a], map[b])).collect() }
    }
    /// Branches: maximal paths whose inner nodes have degree 2: (nodes, edges). Rings start anywhere.
    pub fn branches(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let adj = self.adj();
        let mut seen = vec![false; self.edges.len()];
        let mut out = Vec::new();
        let starts: Vec<usize> = (0..self.y.len())
            .filter(|&k| adj[k].len() != 2)
            .chain((0..self.y.len()).filter(|&k| adj[k].len() == 2))
            .collect();
        for k in starts {
            for &(e, _) in &adj[k] {
                if seen[e] {
                    continue;
                }
                let (mut nodes, mut edges) = (vec![k], vec![]);
                let (mut at, mut edge) = (k, e);
                loop {
                    seen[edge] = true;
                    edges.push(edge);
                    let (a, b) = self.edges[edge];
                    at = if a == at { b } else { a };
                    nodes.push(at);
                    if adj[at].len() != 2 || at == k {
                        break;
                    }
                    match adj[at].iter().find(|(e, _)| !seen[*e]) {
                        Some(&(e, _)) => edge = e,
                        None => break,
                    }
                }
                out.push((nodes, edges));
            }
        }
        out
    }
    pub fn components(&self) -> Vec<usize> {
        let mut p: Vec<usize> = (0..self.y.len()).collect();
        fn find(p: &mut Vec<usize>, i: usize) -> usize {
            let mut i = i;
            while p[i] != i {
                p[i] = p[p[i]];
                i = p[i];
            }
            i
        }
        for &(a, b) in &self.edges {
            let (a, b) = (find(&mut p, a), find(&mut p, b));
            p[a] = b;
        }
        (0..self.y.len()).map(|i| find(&mut p, i)).collect()
    }
    /// nearest position on any edge: (edge, t in 0..1, squared distance)
    pub fn nearest(&self, x: &[f64]) -> (usize, f64, f64) {
        let mut best = (usize::MAX, 0.0, f64::INFINITY);
        for (e, &(a, b)) in self.edges.iter().enumerate() {
            let (ya, yb) = (&self.y[a], &self.y[b]);
            let (mut ab2, mut ax, mut ax2) = (0.0, 0.0, 0.0);
            for j in 0..self.d {
                let u = yb[j] - ya[j];
                let v = x[j] - ya[j];
                ab2 += u * u;
                ax += u * v;
                ax2 += v * v;
            }
            let t = if ab2 > 0.0 { (ax / ab2).clamp(0.0, 1.0) } else { 0.0 };
            let q = ax2 - 2.0 * t * ax + t * t * ab2;
            if q < best.2 {
                best = (e, t, q.max(0.0));
            }
        }
        best
    }
    pub fn geodesic(&self, from: usize) -> Vec<f64> {
        let adj = self.adj();
        let mut dist = vec![f64::INFINITY; self.y.len()];
        dist[from] = 0.0;
        let mut done = vec![false; self.y.len()];
        loop {
            let mut k = usize::MAX;
            for i in 0..self.y.len() {
                if !done[i] && dist[i].is_finite() && (k == usize::MAX || dist[i] < dist[k]) {
                    k = i;
                }
            }
            if k == usize::MAX {
                break;
            }
            done[k] = true;
            for &(e, o) in &adj[k] {
                let c = dist[k] + self.len(e);
                if c < dist[o] {
                    dist[o] = c;
                }
            }
        }
        dist
    }
}

/// Solves A X = B for symmetric positive definite A (n x n), B n x m in place.
pub fn cholesky_solve(a: &mut Vec<f64>, n: usize, b: &mut Vec<f64>, m: usize) {
    for j in 0..n {
        let mut s = a[j * n + j];
        for k in 0..j {
            s -= a[j * n + k] * a[j * n + k];
        }
        let s = s.max(1e-300).sqrt();
        a[j * n + j] = s;
        for i in j + 1..n {
            let mut v = a[i * n + j];
            if v == 0.0 && (0..j).all(|k| a[i * n + k] == 0.0) {
                continue;
            }
            for k in 0..j {
                v -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = v / s;
        }
    }
    for i in 0..n {
        for k in 0..i {
            let l = a[i * n + k];
            if l != 0.0 {
                for c in 0..m {
                    b[i * m + c] -= l * b[k * m + c];
                }
            }
        }
        for c in 0..m {
            b[i * m + c] /= a[i * n + i];
        }
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            let l = a[k * n + i];
            if l != 0.0 {
                for c in 0..m {
                    b[i * m + c] -= l * b[k * m + c];
                }
            }
        }
        for c in 0..m {
            b[i * m + c] /= a[i * n + i];
        }
    }
}

/// Refits node positions with the topology fixed: regression on the projections, resisting bending over length `b`.
pub fn refit(sk: &mut Skel, x: &Data, b: f64, rounds: usize, cap2: f64) {
    let (k, d) = (sk.y.len(), sk.d);
    if sk.edges.is_empty() {
        return;
    }
    for _ in 0..rounds {
        let mut a = vec![0.0; k * k];
        let mut r = vec![0.0; k * d];
        let mut used = 0.0;
        for i in 0..x.n {
            let (e, t, q) = sk.nearest(x.row(i));
            if q > cap2 {
                continue;
            }
            used += 1.0;
            let (p, o) = sk.edges[e];
            let (u, v) = (1.0 - t, t);
            a[p * k + p] += u * u;
            a[o * k + o] += v * v;
            a[p * k + o] += u * v;
            a[o * k + p] += u * v;
            for (j, xv) in x.row(i).iter().enumerate() {
                r[p * d + j] += u * xv;
                r[o * d + j] += v * xv;
            }
        }
        let total = sk.length();
        let rho = used / total;
        let adj = sk.adj();
        for c in 0..k {
            let deg = adj[c].len();
            if deg < 2 {
                continue;
            }
            let h: f64 = adj[c].iter().map(|&(e, _)| sk.len(e)).sum::<f64>() / deg as f64;
            let h = h.max(1e-9 * total);
            let mu = 4.0 * rho * h * (b / h).powi(4) * if deg == 2 { 1.0 } else { 0.02 };
            // star penalty with unequal spacing: weights inverse to lengths
            let inv: Vec<f64> =
                adj[c].iter().map(|&(e, _)| 1.0 / sk.len(e).max(0.05 * h)).collect();
            let si: f64 = inv.iter().sum();
            let mut co: Vec<(usize, f64)> = vec![(c, 1.0)];
            for (w, &(_, o)) in inv.iter().zip(&adj[c]) {
                co.push((o, -w / si));
            }
            for &(p, u) in &co {
                for &(o, v) in &co {
                    a[p * k + o] += mu * u * v;
                }
            }
        }
        // a weak stretch keeps nodes apart and everything regular
        let h = total / sk.edges.len() as f64;
        for &(p, o) in &sk.edges {
            let l = 0.002 * rho * h;
            a[p * k + p] += l;
            a[o * k + o] += l;
            a[p * k + o] -= l;
            a[o * k + p] -= l;
        }
        for p in 0..k {
            let tiny = 1e-9 * rho * h;
            a[p * k + p] += tiny;
            for j in 0..d {
                r[p * d + j] += tiny * sk.y[p][j];
            }
        }
        cholesky_solve(&mut a, k, &mut r, d);
        for p in 0..k {
            sk.y[p].copy_from_slice(&r[p * d..(p + 1) * d]);
        }
    }
}
