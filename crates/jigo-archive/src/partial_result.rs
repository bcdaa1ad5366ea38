//! Results of parts of a run, such as counts, which merge into the result of the whole run.

use std::collections::BTreeMap;

/// The result of a part of a run. Parts merge in input order.
pub trait PartialResult {
    /// Adds the result of the next part.
    fn add_part(&mut self, next: Self);
}

impl PartialResult for u64 {
    fn add_part(&mut self, next: u64) {
        *self += next;
    }
}

impl<T> PartialResult for Vec<T> {
    fn add_part(&mut self, next: Vec<T>) {
        self.extend(next);
    }
}

impl<T: PartialResult, const N: usize> PartialResult for [T; N] {
    fn add_part(&mut self, next: [T; N]) {
        self.iter_mut().zip(next).for_each(|(sum, more)| sum.add_part(more));
    }
}

impl<K: Ord, V: PartialResult + Default> PartialResult for BTreeMap<K, V> {
    fn add_part(&mut self, next: BTreeMap<K, V>) {
        next.into_iter().for_each(|(key, more)| self.entry(key).or_default().add_part(more));
    }
}

/// Implements [`PartialResult`] for a structure whose fields merge one by one. The argument is the
/// whole structure, or its name and a list of all its fields.
macro_rules! merge_fields {
    ($(#[$attribute:meta])* pub struct $name:ident { $($(#[$of_field:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$attribute])*
        pub struct $name { $($(#[$of_field])* pub $field: $type,)* }
        merge_fields!($name { $($field),* });
    };
    ($name:ident { $($field:tt),* $(,)? }) => {
        impl $crate::partial_result::PartialResult for $name {
            fn add_part(&mut self, next: $name) {
                let $name { $($field: _),* } = &next;
                $($crate::partial_result::PartialResult::add_part(&mut self.$field, next.$field);)*
            }
        }
    };
}
pub(crate) use merge_fields;
