//! Code that the fuzz targets share with the tests.

#[path = "../tests/integration/support/agreement.rs"]
pub mod agreement;
#[path = "../tests/integration/support/invariants/mod.rs"]
pub mod invariants;
#[path = "../tests/integration/support/reference.rs"]
pub mod reference;
