#[derive(Clone)]
pub struct Data {
    pub n: usize,
    pub d: usize,
    pub v: Vec<f64>,
}
impl Data {
    pub fn row(&self, i: usize) -> &[f64] {
        &self.v[i * self.d..(i + 1) * self.d]
    }
}
pub fn read_npy(path: &std::path::Path) -> Data {
    let bytes = std::fs::read(path).unwrap();
    let len = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    let head = String::from_utf8_lossy(&bytes[10..10 + len]).to_string();
    let shape = head.split("'shape': (").nth(1).unwrap().split(')').next().unwrap().to_owned();
    let dims: Vec<usize> = shape.split(',').filter_map(|x| x.trim().parse().ok()).collect();
    let v: Vec<f64> = bytes[10 + len..]
        .chunks_exact(8)
        .map(|c| f64::from_le_bytes(c.try_into().unwrap()))
        .collect();
    assert!(head.contains("False"));
    Data { n: dims[0], d: dims[1], v }
}
