//! An ONNX file: describing it never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::onnx::describe;

fuzz_target!(|data: &[u8]| {
    if let Ok(found) = describe(data) {
        let _ = found.parameter_count();
    }
});
