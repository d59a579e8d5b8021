//! Fingerprints: what two files, nets or records must share to fit each other.

use std::fmt;

use sha2::{Digest, Sha256};

/// SHA-256 of a canonical description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of a text.
    pub fn of(text: &str) -> Fingerprint {
        Fingerprint(Sha256::digest(text.as_bytes()).into())
    }
}

impl fmt::Display for Fingerprint {
    /// 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
