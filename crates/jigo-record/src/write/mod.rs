//! Writes records as SGF in one normal form.
//!
//! The normal form has the same content as the record, in FF\[4\] and UTF-8, so that any program
//! can read it. [`Reading`](crate::Reading) supplies the turns, setup and territory. Texts remain
//! unchanged.

mod normal_form;
mod omissions;
pub mod marks;
mod node_text;
mod node_properties;
mod tree;
mod unused_values;
pub mod value;

pub use marks::Marks;
pub use normal_form::{NormalForm, normal_form};
pub use omissions::{Omissions, WriteOptions};
