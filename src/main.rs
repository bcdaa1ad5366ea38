//! The `jigo` command: see the library's [`jigo::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    jigo::cli::main()
}
