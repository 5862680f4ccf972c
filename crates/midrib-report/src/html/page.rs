//! The HTML page around the data: markup, style, script.

use serde_json::Value;

const SCRIPT: &str = include_str!("../../../../web/dist/report.js");
const STYLE: &str = include_str!("../../../../web/dist/report.css");

const ROOT_OPEN: &str = "<script type=\"application/json\" id=\"midrib-root\">";
const CLOSE: &str = "</script>";

/// The approximate bytes around the data.
pub const SHELL_BYTES: usize = SCRIPT.len() + STYLE.len() + 4000;

/// The page may not load anything.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:; base-uri 'none'; form-action 'none'";

/// The whole page.
pub fn page(title: &str, subtitle: &str, picture: &str, data: &Value, root: &[usize]) -> String {
    let data = embedded(data);
    let mut page = String::with_capacity(data.len() + picture.len() + SHELL_BYTES);
    page += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    page += &format!("<title>{}</title>\n<style>{STYLE}</style>\n", escaped(title));
    page +=
        "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header><div>";
    page += &format!("<h1>{}</h1><p>{}</p></div>", escaped(title), escaped(subtitle));
    page += "<div class=\"tools\"></div></header>\n<main id=\"main\" tabindex=\"-1\">\n";
    page += "<noscript><p class=\"warnings\">This report needs JavaScript; without it, it is at most \
             a static picture.</p></noscript>\n";
    if !picture.is_empty() {
        page += &format!("<figure class=\"panel static\">{picture}</figure>\n");
    }
    page += "</main>\n";
    page += "<footer>Made by midrib. This page is self-contained and makes no network \
             requests.</footer>\n";
    page += "<div id=\"live\" class=\"visually-hidden\" aria-live=\"polite\"></div>\n";
    page += &format!("{ROOT_OPEN}{}{CLOSE}\n", embedded(&serde_json::json!(root)));
    page += &format!("<script type=\"application/json\" id=\"midrib-data\">{data}{CLOSE}\n");
    page += &format!("<script>{SCRIPT}{CLOSE}\n</body>\n</html>\n");
    page
}

/// A report with other roots; `None` if the page is not a report.
///
/// ```
/// assert_eq!(midrib_report::with_root("<html></html>", &[3]), None);
/// ```
pub fn with_root(page: &str, root: &[usize]) -> Option<String> {
    let (from, to) = block(page, ROOT_OPEN)?;
    Some([&page[..from], &embedded(&serde_json::json!(root)), &page[to..]].concat())
}

/// The start and end of an element's content.
fn block(page: &str, open: &str) -> Option<(usize, usize)> {
    let from = page.find(open)? + open.len();
    Some((from, from + page[from..].find(CLOSE)?))
}

/// JSON that cannot close the element that contains it.
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
