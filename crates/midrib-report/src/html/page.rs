//! The page about the data: markup, style, script.

use serde_json::Value;

const SCRIPT: &str = include_str!("../../../../web/dist/report.js");
const STYLE: &str = include_str!("../../../../web/dist/report.css");

const ROOT_OPEN: &str = "<script type=\"application/json\" id=\"midrib-root\">";
const COMMAND_OPEN: &str = "<script type=\"application/json\" id=\"midrib-run\">";
const CLOSE: &str = "</script>";

/// What is written around the data.
pub const FRAME_BYTES: usize = SCRIPT.len() + STYLE.len() + 4000;

/// Nothing but the page itself may be loaded, and no text may become markup.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:; base-uri 'none'; form-action 'none'";

/// The whole page.
pub fn page(
    title: &str,
    about: &str,
    still: &str,
    data: &Value,
    root: &[usize],
    run: &Value,
) -> String {
    let data = embedded(data);
    let mut page = String::with_capacity(data.len() + still.len() + FRAME_BYTES);
    page += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    page += &format!("<title>{}</title>\n<style>{STYLE}</style>\n", escaped(title));
    page += &format!("{COMMAND_OPEN}{}{CLOSE}\n", embedded(run));
    page += "</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the report</a>\n<header><div>";
    page += &format!("<h1>{}</h1><p>{}</p></div>", escaped(title), escaped(about));
    page += "<div class=\"tools\"></div></header>\n<main id=\"main\" tabindex=\"-1\">\n";
    page += "<noscript><p class=\"warnings\">Without JavaScript the report is a still picture at \
             most: it needs it to be turned, searched and coloured.</p></noscript>\n";
    if !still.is_empty() {
        page += &format!("<figure class=\"panel static\">{still}</figure>\n");
    }
    page += "</main>\n";
    page +=
        "<footer>Made by midrib. This page holds all that it shows and loads nothing.</footer>\n";
    page += "<div id=\"live\" class=\"visually-hidden\" aria-live=\"polite\"></div>\n";
    page += &format!("{ROOT_OPEN}{}{CLOSE}\n", embedded(&serde_json::json!(root)));
    page += &format!("<script type=\"application/json\" id=\"midrib-data\">{data}{CLOSE}\n");
    page += &format!("<script>{SCRIPT}{CLOSE}\n</body>\n</html>\n");
    page
}

/// A report with other roots; none if this is no report.
///
/// ```
/// assert_eq!(midrib_report::with_root("<html></html>", &[3]), None);
/// ```
pub fn with_root(page: &str, root: &[usize]) -> Option<String> {
    let (from, to) = block(page, ROOT_OPEN)?;
    Some([&page[..from], &embedded(&serde_json::json!(root)), &page[to..]].concat())
}

/// What a report tells of its making, see [`super::Words::run`]; none if this is no report.
pub fn run_of(page: &str) -> Option<Value> {
    let (from, to) = block(page, COMMAND_OPEN)?;
    serde_json::from_str(&page[from..to]).ok()
}

/// Where the content of an element begins and ends.
fn block(page: &str, open: &str) -> Option<(usize, usize)> {
    let from = page.find(open)? + open.len();
    Some((from, from + page[from..].find(CLOSE)?))
}

/// JSON that cannot end the element that it stands in.
fn embedded(value: &Value) -> String {
    let text = value.to_string();
    if !text.contains(['<', '>', '&']) {
        return text;
    }
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
