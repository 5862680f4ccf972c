//! The command as it was typed.

/// The command that runs now, quoted for a shell.
pub fn typed_command() -> String {
    let arguments = std::env::args_os().skip(1);
    let quoted = arguments.map(|argument| quoted(&argument.to_string_lossy()));
    ["midrib".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.into()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_where_a_shell_would_read_them_otherwise() {
        for (argument, expected) in [
            ("--bandwidth", "--bandwidth"),
            ("a b.csv", "'a b.csv'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("Zellen-ä.csv", "Zellen-ä.csv"),
        ] {
            assert_eq!(quoted(argument), expected);
        }
    }
}
