//! Settings as flags, in sentences that tasks write.

use std::collections::HashSet;
use std::sync::OnceLock;

use midrib_tasks::Wording;

use crate::args::command_for_any;
use crate::spelling::{as_flag, flag, spelled};

/// Settings are flags.
pub const FLAGS: Wording =
    Wording { setting: flag, value: |name, value| format!("{} {value}", flag(name)), text };

/// A sentence of a task with flags for settings: only words that some command takes as a flag, since
/// ids of points may look like settings.
fn text(sentence: &str) -> String {
    spelled(sentence, |word, has_value| (has_value || word.contains('_')) && has_flag(word))
}

/// Whether any command takes this setting.
fn has_flag(setting: &str) -> bool {
    static FLAGS: OnceLock<HashSet<String>> = OnceLock::new();
    let flags = FLAGS.get_or_init(|| {
        let command = command_for_any();
        let arguments = command.get_subcommands().flat_map(clap::Command::get_arguments);
        arguments.filter_map(|argument| argument.get_long().map(str::to_owned)).collect()
    });
    flags.contains(&as_flag(setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_keep_ids_that_look_like_settings() {
        assert_eq!(
            text("point cell_7; voids = cross, a small min_loop, x = 3"),
            "point cell_7; --voids cross, a small --min-loop, x = 3"
        );
    }
}
