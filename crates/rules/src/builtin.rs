//! The variants that come with the program: the files of `data/variants`, embedded.

use std::sync::Arc;

use crate::variant::Variant;

macro_rules! builtins {
    ($($id:literal),* $(,)?) => {
        /// The ids, alphabetically.
        pub(crate) const IDS: &[&str] = &[$($id),*];

        /// The text of a file.
        pub(crate) fn text(id: &str) -> Option<&'static str> {
            match id {
                $($id => Some(include_str!(concat!("../../../data/variants/", $id, ".toml"))),)*
                _ => None,
            }
        }
    };
}

builtins!(
    "cannonshogi",
    "dobutsu",
    "encyclopedia",
    "euroshogi",
    "gorogoro",
    "gorogoroplus",
    "judkins",
    "kyotoshogi",
    "micro",
    "minishogi",
    "minixiangqi",
    "shogi",
    "torishogi",
    "xiangqi",
    "yarishogi",
);

pub(crate) fn variant(id: &str) -> Option<Arc<Variant>> {
    let variant = Variant::parse(text(id)?, &|base| text(base).map(str::to_owned));
    Some(Arc::new(variant.expect("the embedded files are tested")))
}
