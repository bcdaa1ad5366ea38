//! `jigo completions` and `jigo man`, generated from the options.

use std::fs;
use std::io::{self, Write};

use anyhow::{Context, Result};
use clap::{Args, Command};
use jigo_run::output::PendingFile;
use jigo_run::process::Exit;

use crate::args::examples;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo completions bash" "put it into the folder of your shell: bash, elvish, fish, powershell or zsh"
))]
pub struct CompletionsArgs {
    /// Choose the shell
    pub shell: Shell,
}

/// Print the man page, or write the man pages of all commands
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo man" "the page of jigo itself"
    "jigo man --out man1" "the pages of all commands"
))]
pub struct ManArgs {
    /// Write jigo.1 and one page per command into DIR; create a missing DIR and replace existing
    /// pages
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Prints completions of a command line.
///
/// # Errors
/// Fails if standard output can't be written.
pub fn completions(args: &CompletionsArgs, mut command_line: Command) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command_line, "jigo", &mut text);
    io::stdout().write_all(&text)?;
    Ok(Exit::Clean)
}

/// Prints the man page of jigo, or writes the man pages of all commands into a folder.
///
/// # Errors
/// Fails if the output can't be written.
pub fn man(args: &ManArgs, command_line: Command) -> Result<Exit> {
    // `build` sets the full names of subcommands.
    let mut command = command_line.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        io::stdout().write_all(&page(command)?)?;
        return Ok(Exit::Clean);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let subcommands: Vec<Command> = command.get_subcommands().cloned().collect();
    for command in subcommands.into_iter().chain([command]) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).replace(' ', "-");
        let mut file = PendingFile::create(&folder.join(format!("{name}.1")), true)?;
        file.append(&page(command)?)?;
        file.close()?.put_in_place()?;
    }
    Ok(Exit::Clean)
}

fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
