//! The bars of a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{View, share};
use crate::output;

/// Columns from which on the bars and the texts have their full length.
const WIDE: u16 = 80;

/// What a terminal has room for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Wide,
    Narrow,
}

/// What the bars show.
pub(super) struct Texts {
    run: String,
    run_share: u64,
    work_name: &'static str,
    work: String,
    work_share: u64,
    net: String,
}

impl Texts {
    pub(super) fn of(view: &View, fit: Fit) -> Self {
        let short = fit == Fit::Narrow;
        Self {
            run: view.run_text(short),
            run_share: share(view.clock.active().as_secs_f64(), view.budget.as_secs_f64()),
            work_name: view.work.name(),
            work: view.work.text(short),
            work_share: view.work.share(),
            net: view.net_text(short),
        }
    }
}

/// The three bars: the run, its present work, the net.
pub(super) struct Bars {
    all: MultiProgress,
    run: ProgressBar,
    work: ProgressBar,
    net: ProgressBar,
    fit: Fit,
}

impl Bars {
    pub(super) fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let [run, work, net] = [(); 3].map(|()| all.add(ProgressBar::new(1000)));
        output::above(Some(all.clone()));
        let bars = Self { all, run, work, net, fit: Fit::Wide };
        bars.style();
        bars
    }

    /// What the terminal has room for now; it may have been resized.
    pub(super) fn fit(&mut self) -> Fit {
        let (_, columns) = console::Term::stderr().size();
        let fit = if columns < WIDE { Fit::Narrow } else { Fit::Wide };
        if fit != self.fit {
            self.fit = fit;
            self.style();
        }
        fit
    }

    fn style(&self) {
        let width = if self.fit == Fit::Wide { 18 } else { 8 };
        let style = |template: &str| {
            ProgressStyle::with_template(template)
                .expect("the template is well formed")
                .progress_chars("█▉▊▋▌▍▎▏ ")
        };
        self.run
            .set_style(style(&format!("{{prefix:9.bold}} ▕{{bar:{width}.cyan}}▏ {{wide_msg}}")));
        self.work
            .set_style(style(&format!("{{prefix:9.bold}} ▕{{bar:{width}.yellow}}▏ {{wide_msg}}")));
        self.net.set_style(style("{prefix:9.bold} {wide_msg}"));
    }

    pub(super) fn draw(&self, texts: Texts) {
        self.run.set_prefix("run");
        self.run.set_position(texts.run_share);
        self.run.set_message(texts.run);
        self.work.set_prefix(texts.work_name);
        self.work.set_position(texts.work_share);
        self.work.set_message(texts.work);
        self.net.set_prefix("net");
        self.net.set_message(texts.net);
    }

    pub(super) fn clear(self) {
        output::above(None);
        for bar in [&self.run, &self.work, &self.net] {
            bar.finish_and_clear();
        }
        // Failing to clear a terminal that has gone away harms nobody.
        let _ = self.all.clear();
    }
}
