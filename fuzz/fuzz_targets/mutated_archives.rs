#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jigo_fuzz::invariants::mutated_archives(bytes));
