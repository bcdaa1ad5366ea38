//! Writes records as SGF in one normal form.
//!
//! The normal form has the same content as the record, in FF\[4\] and UTF-8, so that any program
//! can read it. [`Reading`](crate::Reading) supplies the turns, setup and territory. Texts remain
//! unchanged.

mod form;
mod game;
mod left_out;
pub mod marks;
mod node_text;
mod properties;
mod record;
mod tree;
mod unused_values;
pub mod value;

pub use form::Form;
pub use game::{Written, normal};
pub use left_out::LeftOut;
pub use marks::Marks;
pub use record::of_record;
