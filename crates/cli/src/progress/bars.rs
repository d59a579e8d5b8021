//! The bars of a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{View, share};
use crate::output;

/// Columns from which on the bars have their full length.
const WIDE: usize = 80;

/// Columns before a text: the name, and the bar with its frame.
const NAME: usize = 10;
const FRAME: usize = 3;

/// How wide a terminal is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Width {
    columns: usize,
}

impl Width {
    fn bar(self) -> usize {
        if self.columns < WIDE { 8 } else { 18 }
    }

    /// The long text if there is room for it, else the short one.
    fn fit(self, with_bar: bool, text: impl Fn(bool) -> String) -> String {
        let before = if with_bar { NAME + self.bar() + FRAME } else { NAME };
        let long = text(false);
        if before + long.chars().count() <= self.columns { long } else { text(true) }
    }
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
    pub(super) fn of(view: &View, width: Width) -> Self {
        Self {
            run: width.fit(true, |short| view.run_text(short)),
            run_share: share(view.clock.active().as_secs_f64(), view.budget.as_secs_f64()),
            work_name: view.work.name(),
            work: width.fit(true, |short| view.work.text(short)),
            work_share: view.work.share(),
            net: width.fit(false, |short| view.net_text(short)),
        }
    }
}

/// The three bars: the run, its present work, the net.
pub(super) struct Bars {
    all: MultiProgress,
    run: ProgressBar,
    work: ProgressBar,
    net: ProgressBar,
    width: Width,
}

impl Bars {
    pub(super) fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let [run, work, net] = [(); 3].map(|()| all.add(ProgressBar::new(1000)));
        output::above(Some(all.clone()));
        let bars = Self { all, run, work, net, width: Width { columns: usize::from(u16::MAX) } };
        bars.style(bars.width);
        bars
    }

    /// How wide the terminal is now; it may have been resized.
    pub(super) fn width(&mut self) -> Width {
        let (_, columns) = console::Term::stderr().size();
        let width = Width { columns: columns.into() };
        if width.bar() != self.width.bar() {
            self.style(width);
        }
        self.width = width;
        width
    }

    fn style(&self, width: Width) {
        let style = |template: &str| {
            ProgressStyle::with_template(template)
                .expect("the template is well formed")
                .progress_chars("█▉▊▋▌▍▎▏ ")
        };
        let with_bar = |color: &str| {
            let bar = width.bar();
            style(&format!("{{prefix:9.bold}} ▕{{bar:{bar}.{color}}}▏ {{wide_msg}}"))
        };
        self.run.set_style(with_bar("cyan"));
        self.work.set_style(with_bar("yellow"));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_does_not_fit_is_shortened() {
        let text = |short| if short { "short".to_owned() } else { "x".repeat(49) };
        let of = |columns, with_bar| Width { columns }.fit(with_bar, text);
        assert_eq!(of(80, true).len(), 49);
        assert_eq!(of(79, true).len(), 49, "the bar is shorter then");
        assert_eq!(of(69, true), "short");
        assert_eq!(of(59, false).len(), 49);
        assert_eq!(of(58, false), "short");
    }
}
