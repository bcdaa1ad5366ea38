//! Values with the names that users write for them.

/// A value with the name that selects it, for example in an option.
#[derive(Clone, Copy, Debug)]
pub struct NamedValue<T: 'static> {
    /// The name.
    pub name: &'static str,
    /// The meaning, for help texts.
    pub about: &'static str,
    /// The value.
    pub value: T,
}

impl<T: Copy + PartialEq> NamedValue<T> {
    /// Returns the value with this name.
    pub fn find(all: &[NamedValue<T>], name: &str) -> Option<T> {
        all.iter().find(|entry| entry.name == name).map(|entry| entry.value)
    }

    /// Returns the name of a value. It is empty if the value has no name.
    pub fn name_of(all: &[NamedValue<T>], value: T) -> &'static str {
        all.iter().find(|entry| entry.value == value).map_or("", |entry| entry.name)
    }
}
