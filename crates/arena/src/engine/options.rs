//! The lines that set a program's options, checked against what it announced.

use protocol::{Command, OptionDecl, OptionKind, Protocol, variant_option};
use rules::Variant;

use super::EngineSpec;

/// The options to set, the variant's first, or what is wrong with them.
pub(super) fn settings(
    spec: &EngineSpec,
    variant: &Variant,
    announced: &[OptionDecl],
) -> Result<Vec<Command>, String> {
    let mut commands = Vec::new();
    if let Some(option) = variant_option(announced) {
        let name = spec.variant.as_deref().unwrap_or(variant.id());
        commands.push(setting(option, name)?);
    } else if let Some(name) = &spec.variant {
        return Err(format!("it has no option for the variant `{name}`"));
    }
    if takes_milliseconds(spec.protocol, announced) {
        let value = Some("true".to_owned());
        commands.push(Command::SetOption { name: MILLISECONDS.to_owned(), value });
    }
    for (name, value) in &spec.options {
        let same = |option: &&OptionDecl| plain(&option.name) == plain(name);
        let Some(option) = announced.iter().find(same) else {
            let known: Vec<&str> = announced.iter().map(|option| option.name.as_str()).collect();
            return Err(format!("it has no option `{name}`; it has: {}", known.join(", ")));
        };
        commands.push(setting(option, value)?);
    }
    Ok(commands)
}

const MILLISECONDS: &str = "usemillisec";

/// Whether the program can be told times in milliseconds where its protocol has seconds.
pub(super) fn takes_milliseconds(protocol: Protocol, announced: &[OptionDecl]) -> bool {
    protocol == Protocol::Ucci && announced.iter().any(|option| option.name == MILLISECONDS)
}

/// A name without what programs spell differently.
fn plain(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

/// The command that sets an option to a value that it allows.
fn setting(option: &OptionDecl, value: &str) -> Result<Command, String> {
    let expected = match &option.kind {
        OptionKind::Check(_) if !matches!(value, "true" | "false") => "true or false".to_owned(),
        OptionKind::Spin { min, max, .. } => {
            let inside = |number: i64| {
                min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
            };
            if value.parse().is_ok_and(inside) {
                String::new()
            } else {
                let bound = |n: &Option<i64>, open: &str| n.map_or(open.into(), |n| n.to_string());
                format!("a whole number from {} to {}", bound(min, "any"), bound(max, "any"))
            }
        }
        OptionKind::Combo { values, .. } if !values.iter().any(|known| known == value) => {
            format!("one of {}", values.join(", "))
        }
        OptionKind::Button if !value.is_empty() => "nothing, for it is a button".to_owned(),
        _ => String::new(),
    };
    if !expected.is_empty() {
        return Err(format!("its option `{}` is not `{value}` but {expected}", option.name));
    }
    let value = (option.kind != OptionKind::Button).then(|| value.to_owned());
    Ok(Command::SetOption { name: option.name.clone(), value })
}

#[cfg(test)]
mod tests {
    use protocol::Reply;

    use super::*;

    fn announced(lines: &[&str], protocol: Protocol) -> Vec<OptionDecl> {
        let read = |line: &&str| match Reply::parse(line, protocol) {
            Ok(Some(Reply::Option(option))) => option,
            other => panic!("{line}: {other:?}"),
        };
        lines.iter().map(read).collect()
    }

    fn set(spec: &EngineSpec, options: &[OptionDecl]) -> Result<Vec<String>, String> {
        let variant = Variant::builtin("minishogi").unwrap();
        let game = rules::Game::new(variant.clone());
        let context = protocol::Context::of(spec.protocol, &game);
        let commands = settings(spec, &variant, options)?;
        Ok(commands.iter().map(|command| command.write(&context)).collect())
    }

    #[test]
    fn options_are_spelled_as_announced() {
        let options = announced(
            &[
                "option name USI_Variant type combo default shogi var shogi var minishogi",
                "option name USI_Hash type spin default 16 min 1 max 1024",
                "option name Skill Level type spin default 20 min -20 max 20",
                "option name Clear_Hash type button",
            ],
            Protocol::Usi,
        );
        let mut spec = EngineSpec::new("x", Protocol::Usi);
        for (name, value) in [("usi_hash", "64"), ("skill_level", "-3"), ("Clear Hash", "")] {
            spec.options.insert(name.to_owned(), value.to_owned());
        }
        let expected = [
            "setoption name USI_Variant value minishogi",
            "setoption name Clear_Hash",
            "setoption name Skill Level value -3",
            "setoption name USI_Hash value 64",
        ];
        assert_eq!(set(&spec, &options).unwrap(), expected);
        for (name, value, reason) in [
            ("Hash", "64", "it has no option `Hash`; it has: USI_Variant, USI_Hash, "),
            ("USI_Hash", "0", "its option `USI_Hash` is not `0` but a whole number from 1 to 1024"),
            ("USI_Hash", "x", "but a whole number"),
            ("Clear_Hash", "now", "but nothing, for it is a button"),
        ] {
            spec.options = [(name.to_owned(), value.to_owned())].into();
            let error = set(&spec, &options).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        spec.options.clear();
        spec.variant = Some("go".to_owned());
        let error = set(&spec, &options).unwrap_err();
        assert_eq!(error, "its option `USI_Variant` is not `go` but one of shogi, minishogi");
        assert!(set(&spec, &[]).unwrap_err().contains("no option for the variant `go`"));
    }

    #[test]
    fn ucci_is_asked_for_milliseconds() {
        let options = announced(&["option usemillisec type check default false"], Protocol::Ucci);
        let spec = EngineSpec::new("x", Protocol::Ucci);
        assert_eq!(set(&spec, &options).unwrap(), ["setoption usemillisec true"]);
        assert!(set(&spec, &[]).unwrap().is_empty());
    }
}
