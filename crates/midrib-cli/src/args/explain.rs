//! The arguments of commands that explain.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub struct MethodsArgs {
    /// Method to explain
    pub name: Option<String>,
    /// Print the settings as a JSON schema
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to complete for
    pub shell: clap_complete::Shell,
}
