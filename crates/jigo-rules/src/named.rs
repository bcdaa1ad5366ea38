//! Enumerations whose values have names, for options and tables.

/// Defines enumerations whose values have names: `name` returns the name of a value, `WORDS` lists
/// all names, and `NAMES` lists them with their values. If each name is followed by `=>` and a
/// description, `description` returns that.
///
/// ```
/// jigo_rules::named! {
///     /// The sides of a door.
///     pub enum Side {
///         /// The one with the handle.
///         Front = "front" => "the side with the handle",
///         /// The other one.
///         Back = "back" => "the side without a handle",
///     }
/// }
///
/// assert_eq!(Side::NAMES, [("front", Side::Front), ("back", Side::Back)]);
/// assert_eq!(Side::Back.name(), "back");
/// assert_eq!(Side::Back.description(), "the side without a handle");
/// ```
#[macro_export]
macro_rules! named {
    (@descriptions $type:ident) => {};
    (@descriptions $type:ident $($description:literal)+) => {
        impl $type {
            /// Returns the description for people.
            pub const fn description(self) -> &'static str {
                const DESCRIPTIONS: [&str; $type::NAMES.len()] = [$($description),*];
                DESCRIPTIONS[self as usize]
            }
        }
    };
    ($(
        $(#[$about:meta])*
        pub enum $type:ident { $($(#[$meaning:meta])* $value:ident = $name:literal $(=> $description:literal)?,)* }
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

        $crate::named!(@descriptions $type $($($description)?)*);
    )*};
}
