#![no_main]

// The decoders of Arrow and Parquet panic on some tables, which is caught and told as damage: only what comes out of the target is a find.
libfuzzer_sys::fuzz_target!(init: drop(std::panic::take_hook()), |bytes: &[u8]| jigo_fuzz::invariants::tables(bytes));
