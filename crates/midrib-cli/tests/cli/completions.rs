//! Scripts for shells.

use crate::folder::Folder;

#[test]
fn they_know_the_flags_of_all_methods() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let run = folder.run(&format!("completions {shell}")).ok();
        assert_eq!(run.err, "");
        for flag in ["length-penalty", "data-weight", "structure", "branch-points"] {
            assert!(run.out.contains(flag), "{shell}: {flag}");
        }
    }
    folder.run("completions csh").fails(2, &["'csh'", "bash", "fish", "zsh"]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_one_for_bash_is_bash() {
    let script = Folder::new().run("completions bash").ok().out;
    assert_cmd::Command::new("bash").arg("-n").write_stdin(script).assert().success().stderr("");
}
