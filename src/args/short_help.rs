//! The short help (`-h`): a command's own options, and the names of those that most commands share.

use std::collections::HashMap;

use clap::{Arg, Command};

/// An option of this many commands is shared.
const SHARED: usize = 7;
/// The shared options that a first call needs. The short help describes them.
const USUAL: [&str; 4] = ["rules", "format", "output", "out"];

/// Replaces the descriptions of shared options in the short help of each command by their names,
/// one line for each heading. The long help stays the same.
pub fn with_short_help(command: Command) -> Command {
    let mut commands_with: HashMap<String, usize> = HashMap::new();
    for name in command.get_subcommands().flat_map(Command::get_arguments).filter_map(Arg::get_long) {
        *commands_with.entry(name.to_owned()).or_default() += 1;
    }
    let is_shared = |argument: &Arg| {
        let name = argument.get_long().unwrap_or_default();
        commands_with.get(name).is_some_and(|&count| count >= SHARED) && !USUAL.contains(&name)
    };
    command.mut_subcommands(|command| {
        let mut headings: Vec<(&str, String)> = Vec::new();
        for argument in command.get_arguments().filter(|argument| is_shared(argument)) {
            let heading = argument.get_help_heading().unwrap_or("Other");
            let name = format!(" --{}", argument.get_long().unwrap_or_default());
            match headings.iter_mut().find(|(other, _)| *other == heading) {
                Some((_, names)) => names.push_str(&name),
                None => headings.push((heading, name)),
            }
        }
        if headings.is_empty() {
            return command;
        }
        let lines: String = headings.iter().map(|(heading, names)| format!("  {heading}:{names}\n")).collect();
        let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let short = format!("Options of most commands, which --help describes:\n{lines}\n{examples}");
        let hidden = command.mut_args(|argument| {
            let is_hidden = is_shared(&argument);
            if is_hidden { argument.hide_short_help(true) } else { argument }
        });
        hidden.after_help(short).after_long_help(examples)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(of: &str) -> (String, String) {
        let subcommands = (0..SHARED).map(|number| {
            let shared = ["where", "rules"].map(|name| Arg::new(name).long(name).help("Choose"));
            let own = Arg::new("own").long(format!("own{number}")).help("Choose");
            Command::new(format!("c{number}")).args(shared).arg(own).after_help("Examples: c")
        });
        let jigo = with_short_help(Command::new("jigo").subcommands(subcommands).subcommand(Command::new("alone")));
        let mut command = jigo.find_subcommand(of).unwrap().clone();
        (command.render_help().to_string(), command.render_long_help().to_string())
    }

    #[test]
    fn the_short_help_describes_own_and_usual_options_and_names_the_others() {
        let (short, long) = help("c3");
        assert!(short.contains("--own3 <own>") && short.contains("--rules <rules>"), "{short}");
        assert!(short.contains("Other: --where\n") && !short.contains("--where <where>"), "{short}");
        assert!(long.contains("--where <where>") && !long.contains("Other:"), "{long}");
        assert!(short.contains("Examples: c") && long.contains("Examples: c"));
    }

    #[test]
    fn a_command_without_shared_options_has_one_help() {
        let (short, _) = help("alone");
        assert!(!short.contains("Options of most commands"), "{short}");
    }
}
