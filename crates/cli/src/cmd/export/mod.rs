//! `narikin export`: a net for use elsewhere.

mod card;
mod source;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use encode::Encoder;
use model::{Graph, Model, Weights, onnx};

use crate::run_dir::write_whole;
use crate::{Verdict, output};
use card::Card;
use source::Source;
pub(crate) use source::model;

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Beside FILE lies FILE.json: what the numbers of the inputs and outputs mean, and how the net was made.

Examples:
  narikin export runs/micro --format onnx -o micro.onnx
  narikin export runs/micro/checkpoints/000012 --format torchscript -o micro.pt
  narikin export net.safetensors --format onnx --half -o net.onnx")]
pub(crate) struct Args {
    /// A run's directory (its newest checkpoint is taken), a checkpoint's, a .safetensors file that
    /// was exported, or zoo:NAME.
    source: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Format::Onnx)]
    format: Format,
    /// 16-bit weights and computation (onnx and dlshogi-onnx): half the size, three decimal digits.
    #[arg(long)]
    half: bool,
    /// The file of the variant, where SOURCE is a .safetensors file of a variant that is not built in.
    #[arg(long)]
    variant: Option<String>,
    /// The file to write.
    #[arg(short, long)]
    output: PathBuf,
}

/// The formats there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The net for play, normalisation folded in.
    Onnx,
    /// The same with the inputs and outputs of dlshogi, for YaneuraOu's deep edition and others; of
    /// runs with `encoder = "dlshogi"`.
    DlshogiOnnx,
    /// The averaged weights with the list of operations in the metadata.
    Safetensors,
    /// The net for play as a TorchScript program.
    Torchscript,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Onnx => "onnx",
            Format::DlshogiOnnx => "dlshogi-onnx",
            Format::Safetensors => "safetensors",
            Format::Torchscript => "torchscript",
        }
    }
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let contract = match args.format {
        Format::DlshogiOnnx => onnx::Contract::Dlshogi,
        Format::Onnx => onnx::Contract::Graph,
        other if args.half => {
            bail!("--half is for onnx and dlshogi-onnx, not for {}", other.name())
        }
        _ => onnx::Contract::Graph,
    };
    let precision = if args.half { onnx::Precision::Half } else { onnx::Precision::Single };
    let source = Source::read(&args.source, args.variant.as_deref())?;
    let Source { model, encoder, .. } = &source;
    match args.format {
        Format::Onnx | Format::DlshogiOnnx => {
            let style = onnx::Style { contract, precision };
            write_whole(&args.output, &onnx_file(model, encoder, style)?)?;
        }
        Format::Safetensors => write_whole(&args.output, &model.to_safetensors())?,
        Format::Torchscript => write_torchscript(&model.graph, &model.weights, &args.output)?,
    }
    let card = Card::new(&source, args.format, args.half, &args.output)?;
    write_whole(&with_suffix(&args.output, ".json"), card.to_json().as_bytes())?;
    output::result(&format!("{}: {}", args.output.display(), source.origin));
    Ok(Verdict::Good)
}

/// The net for play, with the meaning of its numbers in the metadata.
fn onnx_file(model: &Model, encoder: &Encoder, style: onnx::Style) -> Result<Vec<u8>> {
    let (graph, weights) = model.graph.folded(&model.weights)?;
    let mut metadata = model.metadata.clone();
    metadata.insert("planes".to_owned(), encoder.plane_names().join("\n"));
    metadata.insert("policy".to_owned(), card::policy_names(encoder).join("\n"));
    Ok(onnx::write(&graph, &weights, &metadata, style)?)
}

/// libtorch writes files itself: to a name of its own first, so that FILE is absent or complete.
fn write_torchscript(graph: &Graph, weights: &Weights, path: &Path) -> Result<()> {
    let draft = with_suffix(path, ".part");
    let written = net::torchscript::write(graph, weights, &draft).map_err(anyhow::Error::from);
    let bytes = written.and_then(|()| {
        std::fs::read(&draft).with_context(|| format!("cannot read {}", draft.display()))
    });
    let _ = std::fs::remove_file(&draft); // Where nothing was written there is nothing to remove.
    write_whole(path, &bytes?)
}

/// `net.onnx.json` for `net.onnx` and `.json`.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
