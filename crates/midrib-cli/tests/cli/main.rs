//! The command line from outside: exit codes, stdout, stderr and files of the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bad_data;
mod bad_output;
mod bad_settings;
mod bootstrap;
mod cluster;
mod columns;
mod compare;
mod completions;
mod config;
mod demo;
mod embed;
mod export;
mod fit;
mod folder;
mod golden;
mod h5ad;
mod help;
mod info;
mod init;
mod interrupt;
mod kernel;
mod l1;
mod latent;
mod links;
mod map;
mod objects;
mod pipes;
mod project;
mod record;
mod report;
mod root;
mod simplify;
mod synth;
mod trends;
mod truth;
