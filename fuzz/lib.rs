//! What the targets share with the tests.

#[path = "../tests/support/agreement.rs"]
pub mod agreement;
#[path = "../tests/support/invariants/mod.rs"]
pub mod invariants;
#[path = "../tests/support/reference.rs"]
pub mod reference;
