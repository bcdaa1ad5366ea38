#![no_main]

// The decoders of Arrow and Parquet panic on some tables. jigo catches these panics and reports
// damage, so only a panic of the target itself is a find. Removing libFuzzer's panic hook achieves
// this.
libfuzzer_sys::fuzz_target!(init: drop(std::panic::take_hook()), |bytes: &[u8]| jigo_fuzz::invariants::tables(bytes));
