//! Help fits on a screen, and names every setting with its default.

use crate::folder::Folder;

#[test]
fn help_goes_to_stdout() {
    let folder = Folder::new();
    for line in [
        "-h",
        "--help",
        "help",
        "fit -h",
        "help fit",
        "project --help",
        "synth -h",
        "simplify -h",
        "simplify --help",
        "bootstrap -h",
        "bootstrap --help",
        "-V",
    ] {
        let run = folder.run(line).ok();
        assert!(!run.out.is_empty() && run.err.is_empty(), "midrib {line}");
        for text in run.out.lines() {
            assert!(text.chars().count() <= 100, "midrib {line}: {text}");
            assert!(!text.ends_with("[default:"), "midrib {line}: {text}");
        }
    }
}

#[test]
fn the_settings_of_the_method_stand_in_both_helps() {
    let folder = Folder::new();
    let methods = folder.run("methods --json").ok().json();
    for method in methods.as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let short = folder.run(&format!("fit -h --method {name}")).ok().out.replace('\u{a0}', " ");
        let long = folder.run(&format!("fit --help --method {name}")).ok().out;
        assert!(short.lines().count() <= 80, "{short}");
        for help in [&short, &long] {
            let (_, settings) = help.split_once(&format!("Settings of {name}:")).unwrap();
            for (setting, default) in method["defaults"].as_object().unwrap() {
                let flag = format!("--{} <", setting.replace('_', "-"));
                let (_, text) = settings.split_once(&flag).expect(&flag);
                let text = text.split("\n      --").next().unwrap();
                let default = default.as_str().map_or_else(|| default.to_string(), Into::into);
                let shown = text.contains(&format!("[default: {default}]"));
                assert!(shown || default == "null", "{name} {setting}: {text}");
            }
            assert!(!settings.contains("length_penalty"), "{settings}");
        }
    }
    let long = folder.run("fit --help").ok().out;
    assert!(long.contains("More nodes draw a finer line"), "{long}");
}
