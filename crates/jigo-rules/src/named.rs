//! Enumerations whose values have names, for options and tables.

/// Defines enumerations whose values have names: `name` returns the name of a value, `WORDS` lists
/// all names, and `NAMES` lists them with their values.
///
/// ```
/// jigo_rules::named! {
///     /// The sides of a door.
///     pub enum Side {
///         /// The one with the handle.
///         Front = "front",
///         /// The other one.
///         Back = "back",
///     }
/// }
///
/// assert_eq!(Side::NAMES, [("front", Side::Front), ("back", Side::Back)]);
/// assert_eq!(Side::Back.name(), "back");
/// ```
#[macro_export]
macro_rules! named {
    ($(
        $(#[$about:meta])*
        pub enum $type:ident { $($(#[$meaning:meta])* $value:ident = $name:literal,)* }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$meaning])* $value,)*
        }

        impl $type {
            /// All values with their names on the command line and in tables.
            pub const NAMES: [(&'static str, $type); [$($name),*].len()] = [$(($name, $type::$value)),*];

            /// All names, in the order of the values.
            pub const WORDS: [&'static str; $type::NAMES.len()] = [$($name),*];

            /// Returns the name on the command line and in tables.
            pub const fn name(self) -> &'static str {
                $type::NAMES[self as usize].0
            }
        }
    )*};
}
