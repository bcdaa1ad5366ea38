//! The `jigo` command: see the library's [`jigo::commands`].

use std::process::ExitCode;

fn main() -> ExitCode {
    jigo::commands::main()
}
