//! `jigo.toml`: defaults of options, and expectations on the games of an archive.
//!
//! The file may come from a stranger, for example with a downloaded archive. It is read completely
//! or not at all, has a limited size, and can't name a program to run or a file to write. The only
//! files that it can name are lists of players and of events to read.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Map, Value, json};

use crate::config::toml_entries::{ExpectationEntry, NAME_LISTS, OptionDefault, TomlEntries, parse};
use jigo_archive::pipeline::Expectations;
use jigo_archive::source::open_file;

/// The name of the file that jigo looks for.
pub const CONFIG_FILE: &str = "jigo.toml";

/// The maximum size of the file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A configuration file.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    name: String,
    /// The folder of the file. Empty for a text without a file.
    folder: PathBuf,
    entries: TomlEntries,
}

impl ConfigFile {
    /// Parses a text. Errors call the file by `name`.
    ///
    /// # Errors
    /// Returns a sentence with the file, the line, the key, and the nearest key or column.
    pub fn parse(name: &str, text: &str) -> Result<ConfigFile> {
        Ok(ConfigFile { name: name.to_owned(), folder: PathBuf::new(), entries: parse(name, text)? })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the path is no regular file, is too large or can't be read; otherwise as
    /// [`ConfigFile::parse`].
    pub fn read(path: &Path) -> Result<ConfigFile> {
        let name = path.display().to_string();
        let metadata = fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
        ensure!(metadata.is_file(), "{name} is no regular file; name a file with --config, or use --no-config");
        let bytes = read_bytes(path).with_context(|| format!("cannot read {name}"))?;
        ensure!(bytes.len() as u64 <= MAX_BYTES, "{name} is larger than 1M, the limit for a configuration file");
        let text = str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            anyhow!("{name}:{line}: the text is not UTF-8; save the file as UTF-8")
        })?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let file = ConfigFile { folder, ..ConfigFile::parse(&name, text)? };
        for default in file.defaults().iter().filter(|default| NAME_LISTS.contains(&default.key)) {
            // A named pipe would make the run wait for ever. A missing file is an error of the run.
            let list = PathBuf::from(file.argument(default));
            let is_file = fs::metadata(&list).map_or(true, |metadata| metadata.is_file());
            ensure!(is_file, "{name}:{}: {}: {} is no regular file", default.line, default.key, list.display());
        }
        Ok(file)
    }

    /// Finds the file for a working directory: in it, or else in the nearest folder above. Returns
    /// `None` if there is none.
    ///
    /// # Errors
    /// Fails if an entry of that name is a link or no regular file, or can't be examined.
    pub fn find(working_directory: &Path) -> Result<Option<PathBuf>> {
        for folder in working_directory.ancestors() {
            let path = folder.join(CONFIG_FILE);
            match fs::symlink_metadata(&path) {
                // A link could make jigo read a file that the user did not name.
                Ok(metadata) => {
                    let advice = "name a file with --config, or use --no-config";
                    ensure!(metadata.is_file(), "{} is a link or no regular file; {advice}", path.display());
                    return Ok(Some(path));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot examine {}", path.display())),
            }
        }
        Ok(None)
    }

    /// Returns the name of the file as errors show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the defaults of options, in the order of the file.
    pub fn defaults(&self) -> &[OptionDefault] {
        &self.entries.defaults
    }

    /// Returns a default as the argument of its option.
    pub fn argument(&self, default: &OptionDefault) -> OsString {
        match default.key {
            key if NAME_LISTS.contains(&key) => self.folder.join(&default.value).into(),
            _ => default.value.clone().into(),
        }
    }

    /// Returns the expectations as written, in the order of the file.
    pub fn expectation_entries(&self) -> &[ExpectationEntry] {
        &self.entries.expectations
    }

    /// Returns the expectations.
    pub fn expectations(&self) -> Expectations {
        Expectations::new(self.entries.expectations.iter().map(|entry| entry.expectation.clone()).collect())
    }

    /// Returns this file with the expectations of another one. An expectation of this file replaces
    /// one of the same name.
    #[must_use]
    pub fn with_expectations_of(mut self, other: &ConfigFile) -> ConfigFile {
        let entries = &mut self.entries.expectations;
        for entry in &other.entries.expectations {
            if !entries.iter().any(|own| own.expectation.name == entry.expectation.name) {
                entries.push(entry.clone());
            }
        }
        self
    }

    /// Returns the parsed configuration, which does not depend on the place and the layout of the
    /// file.
    pub fn json(&self) -> Value {
        let options =
            self.entries.defaults.iter().map(|default| (default.key.to_owned(), default.value.clone().into()));
        let expectations = self.entries.expectations.iter().map(|entry| {
            json!({
                "name": &*entry.expectation.name,
                "when": entry.when,
                "that": entry.that,
                "severity": entry.expectation.severity.name(),
            })
        });
        json!({ "options": options.collect::<Map<String, Value>>(), "expect": expectations.collect::<Vec<Value>>() })
    }
}

/// Reads the bytes of a file, and at most one more than permitted.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLETE: &str = "\
# An archive of title matches.
rules = 'japanese'
ignore = ['H008', 'H009']
komi = 6.5
max = { nodes = 5000, property = '1M' }

[players]
aliases = 'names/players.csv'

[[expect]]
name = 'komi'
when = \"event ~ 'Honinbo' and year >= 2002\"
that = 'komi = 6.5 and size = 19'

[[expect]]
name = 'dates'
that = 'year > 1600'
severity = 'warning'
";

    #[test]
    fn complete_file_has_its_values_and_lines() {
        let file = ConfigFile::parse("jigo.toml", COMPLETE).unwrap();
        let defaults: Vec<_> = file.defaults().iter().map(|set| (set.key, set.value.as_str(), set.line)).collect();
        let expected = [
            ("rules", "japanese", 2),
            ("ignore", "H008,H009", 3),
            ("komi", "6.5", 4),
            ("max", "nodes=5000,property=1M", 5),
            ("players", "names/players.csv", 7),
        ];
        assert_eq!(defaults, expected);
        let lines: Vec<_> =
            file.expectation_entries().iter().map(|entry| (&*entry.expectation.name, entry.line)).collect();
        assert_eq!(lines, [("komi", 10), ("dates", 15)]);
        let json = file.json();
        assert_eq!((&json["options"]["komi"], &json["expect"][1]["severity"]), (&"6.5".into(), &"warning".into()));
        let reordered = ConfigFile::parse("other.toml", &COMPLETE.replace("'japanese'", "[\n\"japanese\"]")).unwrap();
        assert_eq!(reordered.json(), json);
    }

    fn error(text: &str) -> String {
        ConfigFile::parse("jigo.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn error_names_file_line_key_and_nearest_word() {
        let expect = |lines: &str| error(&format!("[[expect]]\nname = 'a'\nthat = 'size = 19'\n{lines}"));
        for (message, expected) in [
            (error("\nrulez = 'aga'"), "jigo.toml:2: there is no key 'rulez' (did you mean rules?)"),
            (error("weather = 1"), "did you mean "),
            (error("rules = 'agaa'"), "jigo.toml:1: rules: "),
            (error("rules = true"), "jigo.toml:1: rules: the value is a text, a number or a list of texts"),
            (error("rules = [1, [2]]"), "rules: the list contains only texts"),
            (error("severity = 'erorr'"), "severity: it is one of error, warning, info"),
            (error("max = { nodez = 1 }"), "max: there is no limit 'nodez' (did you mean nodes?)"),
            (error("max = { nodes = [] }"), "max: a limit is a number"),
            (error("players = 'p.csv'"), "jigo.toml:1: players: the value is a table"),
            (error("[players]\nalias = 'p.csv'"), "jigo.toml:2: there is no key 'alias' (did you mean aliases?)"),
            (error("[players]\naliases = ['p.csv']"), "jigo.toml:1: players: aliases is the path"),
            (error("[players]"), "jigo.toml:1: players: aliases is the path"),
            (error("engine = 'rm -rf /'"), "there is no key 'engine'"),
            (error("dead = 'engine'"), "can't start a program"),
            (error("rules = 'aga'\nrules = 'nz'"), "jigo.toml:2: "),
            (error("a = [1,\n2"), "jigo.toml:"),
            (error("expect = 1"), "expect: write each expectation"),
            (error("expect = [1]"), "expect: write each expectation"),
            (error("[[expect]]\nname = 'a'"), "jigo.toml:1: that: the expectation has no such key"),
            (error("[[expect]]\nthat = 'size = 19'"), "jigo.toml:1: name: "),
            (expect("whem = 'x'"), "jigo.toml:4: there is no key 'whem' (did you mean when?); there are name, when"),
            (expect("when = 3"), "jigo.toml:4: when: the value is a text in quotes"),
            (expect("when = 'komy = 6.5'"), "jigo.toml:4: when: there is no column 'komy' (did you mean komi?)"),
            (expect("when = 'has(A)'"), "when: an expectation can't depend on another"),
            (expect("when = 'has(C001)'"), "when: duplicates are known only after the last game"),
            (expect("severity = 'wrong'"), "severity: it is one of error, warning, info"),
            (expect("[[expect]]\nname = 'a'\nthat = 'agrees'"), "jigo.toml:4: name: the expectation in line 1"),
            (error("[[expect]]\nname = \"a\\nb\"\nthat = 'agrees'"), "name: it has 1 to 100 characters"),
            (
                error(&"[[expect]]\nname = ''\nthat = 'agrees'".replace("''", &format!("'{}'", "x".repeat(101)))),
                "name: ",
            ),
            (error(&"[".repeat(100_000)), "jigo.toml:1: "),
            (error(&format!("a = {}", "[".repeat(100_000))), "jigo.toml:1: "),
            (error(&format!("a{} = 1", ".a".repeat(100_000))), "jigo.toml:1: "),
        ] {
            assert!(message.contains(expected), "{expected}: {}", &message[..message.len().min(400)]);
        }
        let key = ["a"; 79].join(".");
        let nested = format!("{key} = {}1{}", format!("{{ {key} = ").repeat(78), " }".repeat(78));
        assert!(error(&nested).starts_with("jigo.toml:1: there is no key 'a'"));
        let many: String = (0..2000).map(|n| format!("[[expect]]\nname = '{n}'\nthat = 'agrees'\n")).collect();
        assert_eq!(error(&many), "jigo.toml:3001: there are more than 1000 expectations");
    }

    #[test]
    fn file_that_is_large_or_not_text_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CONFIG_FILE);
        for (bytes, expected) in [
            (vec![b'#'; 2 << 20], "larger than 1M"),
            (b"rules = 'aga'\n# \xff\n".to_vec(), "jigo.toml:2: the text is not UTF-8"),
        ] {
            fs::write(&path, bytes).unwrap();
            let error = format!("{:#}", ConfigFile::read(&path).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
        assert!(ConfigFile::read(folder.path()).unwrap_err().to_string().contains("no regular file"));
        assert!(ConfigFile::read(&folder.path().join("none")).is_err());
    }

    #[test]
    fn nearest_folder_above_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(folder.path().join(CONFIG_FILE), "").unwrap();
        assert_eq!(ConfigFile::find(&inner).unwrap(), Some(folder.path().join(CONFIG_FILE)));
        fs::write(folder.path().join("a").join(CONFIG_FILE), "").unwrap();
        assert_eq!(ConfigFile::find(&inner).unwrap(), Some(folder.path().join("a").join(CONFIG_FILE)));
        fs::create_dir(inner.join(CONFIG_FILE)).unwrap();
        assert!(ConfigFile::find(&inner).unwrap_err().to_string().contains("no regular file"));
    }

    #[test]
    fn own_expectation_replaces_one_of_the_same_name() {
        let own = ConfigFile::parse("own", "[[expect]]\nname = 'a'\nthat = 'size = 9'").unwrap();
        let text = "[[expect]]\nname = 'a'\nthat = 'size = 19'\n[[expect]]\nname = 'b'\nthat = 'komi = 0'";
        let both = own.with_expectations_of(&ConfigFile::parse("other", text).unwrap());
        let texts: Vec<_> = both.expectation_entries().iter().map(|entry| entry.that.as_str()).collect();
        assert_eq!(texts, ["size = 9", "komi = 0"]);
    }
}
