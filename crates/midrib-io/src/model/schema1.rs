//! Schema 1, which midrib 0.1 wrote before the object of a fit was kept.
//!
//! What the object is followed from the method and its settings; edits stood among the settings,
//! the representation of a `.h5ad` file and what became of empty points among the choices.

use serde_json::{Map, Value, json};

/// Edits that stood among the settings.
const EDITS: [&str; 2] = ["simplify", "prune"];

/// Brings a model of schema 1 into the layout of schema 2.
pub(super) fn upgrade(json: &mut Map<String, Value>) {
    json.insert("schema".into(), json!(2));
    let edits = take_edits(json);
    let is_edited = !edits.is_empty();
    json.insert("edits".into(), Value::Array(edits));
    let reading = take_reading(json);
    json.insert("reading".into(), reading);
    let method = json.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    let embeds = json.get("center").is_some_and(|center| !center.is_null());
    let object = match method.as_str() {
        "elastic-map" | "cubic" if !is_edited => {
            let net = if method == "cubic" { product(json) } else { net(json) };
            json.insert("net".into(), net);
            "net"
        }
        "spl" if embeds => {
            let rule = similarity(json);
            json.insert("rule".into(), rule);
            "embedding"
        }
        _ => "graph",
    };
    if embeds && object == "graph" {
        json.insert("rule".into(), json!("linear"));
    }
    json.insert("object".into(), json!(object));
}

fn take_edits(json: &mut Map<String, Value>) -> Vec<Value> {
    let Some(Value::Object(settings)) = json.get_mut("settings") else { return Vec::new() };
    let names: Vec<String> =
        settings.keys().filter(|name| EDITS.contains(&name.as_str())).cloned().collect();
    let take = |name: String| {
        let mut edit = settings.remove(&name)?;
        edit.as_object_mut()?.insert("edit".into(), json!(name));
        Some(edit)
    };
    names.into_iter().filter_map(take).collect()
}

fn take_reading(json: &mut Map<String, Value>) -> Value {
    let input = json.get_mut("input").and_then(Value::as_object_mut);
    let reading = input.and_then(|input| input.remove("reading"));
    let mut reading = reading.unwrap_or_else(|| json!({}));
    if let Some(Value::Object(chosen)) = json.get_mut("chosen") {
        if let Some(name) = chosen.remove("use_rep") {
            reading["use_rep"] = name;
        }
        if chosen.remove("empty_points").is_some_and(|value| value == "ignore") {
            reading["ignore_empty"] = json!(true);
        }
    }
    reading
}

/// A setting, or what was chosen for it where it was left open.
fn setting<'j>(json: &'j Map<String, Value>, name: &str) -> Option<&'j Value> {
    let given = json.get("settings")?.get(name);
    match given {
        Some(Value::String(word)) if word == "auto" => json.get("chosen")?.get(name),
        None => json.get("chosen").and_then(|chosen| chosen.get(name)),
        given => given,
    }
}

/// The net of an elastic map: `sides` are `6x5` or a number.
fn net(json: &Map<String, Value>) -> Value {
    let shape = setting(json, "net").and_then(Value::as_str).unwrap_or("rectangle");
    let inner_dims = match shape {
        "chain" | "ring" => 1,
        "box" => 3,
        _ => 2,
    };
    let sides = setting(json, "sides").map_or_else(String::new, |sides| match sides {
        Value::String(sides) => sides.clone(),
        other => other.to_string(),
    });
    let sides: Option<Vec<usize>> = sides.split('x').map(|side| side.parse().ok()).collect();
    let margin = setting(json, "margin").and_then(Value::as_u64).unwrap_or(1);
    match sides {
        Some(sides) => {
            json!({"shape": shape, "sides": sides, "margin": margin, "inner_dims": inner_dims})
        }
        None => json!({"inner_dims": inner_dims}),
    }
}

/// A product of two trees, whose edges stood in brackets in the first note: `(0-1 1-2)`.
fn product(json: &Map<String, Value>) -> Value {
    let trees = || {
        let note = json.get("notes")?.get(0)?.as_str()?;
        let listed = note.split(" (").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        let edge = |edge: &str| -> Option<Value> {
            let (a, b) = edge.split_once('-')?;
            Some(json!([a.parse::<usize>().ok()?, b.parse::<usize>().ok()?]))
        };
        let trees: Option<Vec<Vec<Value>>> =
            listed.map(|edges| edges.split(' ').map(edge).collect()).collect();
        trees.filter(|trees| trees.len() == 2)
    };
    match trees() {
        Some(trees) => json!({"inner_dims": 2, "product": trees}),
        None => json!({"inner_dims": 2}),
    }
}

/// The rule of structured projection learning.
fn similarity(json: &Map<String, Value>) -> Value {
    const NEIGHBORS: usize = 10;
    let nodes = json.get("nodes").and_then(Value::as_array).map_or(0, Vec::len);
    let most = nodes.saturating_sub(1);
    let n_neighbors = match setting(json, "n_neighbors") {
        Some(Value::Number(count)) => count.as_u64().map_or(NEIGHBORS, |count| count as usize),
        Some(Value::String(word)) if word == "all" => most,
        _ => NEIGHBORS.min(most).max(1),
    };
    let noise_weight = setting(json, "noise_weight").and_then(Value::as_f64).unwrap_or(1.0);
    json!({"similarity": {"n_neighbors": n_neighbors, "noise_weight": noise_weight}})
}
