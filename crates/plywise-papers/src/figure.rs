use plywise_arena::statistics::{Interval, LEAST_SAMPLE, share_interval};
use serde::Serialize;

/// A number, its 95 % interval if that is known, and its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// Where the true value lies with 95 % confidence.
    pub interval: Option<Interval>,
    /// What stands behind the number.
    pub unit: &'static str,
}

/// The unit of shares.
pub(crate) const PERCENT: &str = " %";

impl Figure {
    /// A number without an error.
    pub fn exact(value: f64, unit: &'static str) -> Figure {
        Figure { value, interval: None, unit }
    }

    /// A share of a number of games or positions, in percent.
    pub(crate) fn share(count: f64, of: f64) -> Option<Figure> {
        let interval = share_interval(count, of)?.scaled(100.0, 0.0);
        Some(Figure { value: 100.0 * count / of, interval: Some(interval), unit: PERCENT })
    }

    /// A part of one in percent.
    pub(crate) fn percent((value, interval): (f64, Option<Interval>)) -> Figure {
        let interval = interval.map(|interval| interval.scaled(100.0, 0.0));
        Figure { value: 100.0 * value, interval, unit: PERCENT }
    }

    /// A share in percent as what is more or less than the whole.
    pub(crate) fn change(self) -> Figure {
        let interval = self.interval.map(|interval| interval.scaled(1.0, -100.0));
        Figure { value: self.value - 100.0, interval, ..self }
    }

    /// Half the width of its interval; 0 where none is known.
    pub fn error(&self) -> f64 {
        self.interval.map_or(0.0, |interval| interval.error())
    }

    /// As people read it: `62.0 ± 8.1 %`, or with both ends where they are not equally far away.
    pub fn show(&self) -> String {
        let Figure { value, interval, unit } = self;
        let Some(Interval { low, high }) = interval else { return format!("{value:.2}{unit}") };
        let (below, above) = (value - low, high - value);
        match (below - above).abs() < 0.1 * (below + above) {
            true => format!("{value:.1} ± {:.1}{unit}", (below + above) / 2.0),
            false => format!("{value:.1} ({low:.1} to {high:.1}){unit}"),
        }
    }
}

/// One figure of a table: what the paper has, and what we have.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the figure is about.
    pub what: String,
    /// What the paper has.
    pub paper: Option<Figure>,
    /// What we have.
    pub ours: Option<Figure>,
    /// What else there is to say.
    pub note: String,
    /// The positions or games that ours rests on, if it is a sample.
    pub sample: Option<u64>,
    /// Where ours stands in a picture, if the table has one.
    pub point: Option<Point>,
}

/// A figure as a point of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The panel of the picture; what runs upwards in it.
    pub panel: String,
    /// The curve that it belongs to.
    pub curve: String,
    /// How far to the right it stands: nodes.
    pub across: f64,
}

/// What may be concluded from two figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Their intervals do not meet.
    Differ,
    /// Their intervals meet.
    Agree,
    /// The sample is smaller than [`LEAST_SAMPLE`].
    TooFew,
    /// One of them is missing, or no error is known.
    Unknown,
}

impl Row {
    /// A row of two figures.
    pub(crate) fn new(what: impl Into<String>, paper: Option<Figure>, ours: Option<Figure>) -> Row {
        Row { what: what.into(), paper, ours, note: String::new(), sample: None, point: None }
    }

    /// The same with a note.
    pub(crate) fn note(self, note: impl Into<String>) -> Row {
        Row { note: note.into(), ..self }
    }

    /// The same with the size of our sample.
    pub(crate) fn of(self, sample: usize) -> Row {
        Row { sample: Some(sample as u64), ..self }
    }

    /// The same as a point of a picture.
    pub(crate) fn at(self, panel: String, curve: &str, across: f64) -> Row {
        Row { point: Some(Point { panel, curve: curve.to_owned(), across }), ..self }
    }

    /// What may be concluded.
    pub fn comparison(&self) -> Comparison {
        let (Some(paper), Some(ours)) = (self.paper, self.ours) else { return Comparison::Unknown };
        if self.sample.is_some_and(|sample| sample < LEAST_SAMPLE) {
            return Comparison::TooFew;
        }
        if paper.interval.is_none() && ours.interval.is_none() {
            return Comparison::Unknown;
        }
        let interval = |figure: Figure| figure.interval.unwrap_or(Interval::around(figure.value, 0.0));
        if interval(paper).meets(&interval(ours)) { Comparison::Agree } else { Comparison::Differ }
    }

    /// The sentence that says how the two differ, if they do.
    pub fn difference(&self) -> Option<String> {
        let (paper, ours) = (self.paper?, self.ours?);
        let more = if ours.value > paper.value { "more" } else { "less" };
        let by = (ours.value - paper.value).abs();
        let unit = if ours.unit == PERCENT { " points of percent" } else { ours.unit };
        let sentence = || format!("{}: {by:.1}{unit} {more} here than in the paper.", self.what);
        (self.comparison() == Comparison::Differ).then(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, error: f64) -> Option<Figure> {
        Some(Figure { value, interval: (error > 0.0).then(|| Interval::around(value, error)), unit: PERCENT })
    }

    #[test]
    fn what_differs_by_more_than_both_errors_is_said() {
        let row = |ours| Row::new("nodes", figure(10.0, 1.0), ours).of(100);
        assert_eq!(
            (row(figure(11.5, 1.0)).comparison(), row(figure(11.5, 1.0)).difference()),
            (Comparison::Agree, None)
        );
        let sentence = row(figure(7.5, 1.0)).difference();
        assert_eq!(sentence.as_deref(), Some("nodes: 2.5 points of percent less here than in the paper."));
        let few = row(figure(7.5, 1.0)).of(29);
        assert_eq!((few.comparison(), few.difference()), (Comparison::TooFew, None));
        assert_eq!(row(None).comparison(), Comparison::Unknown);
        assert_eq!(Row::new("price", figure(1.0, 0.0), figure(2.0, 0.0)).comparison(), Comparison::Unknown);
    }

    #[test]
    fn uneven_intervals_show_both_ends() {
        assert_eq!(Figure::share(62.0, 124.0).unwrap().show(), "50.0 ± 8.7 %");
        assert_eq!(Figure::share(20.0, 20.0).unwrap().show(), "100.0 (83.9 to 100.0) %");
        assert_eq!(Figure::exact(2.5, "").show(), "2.50");
        assert_eq!(figure(80.0, 2.0).unwrap().change().show(), "-20.0 ± 2.0 %");
    }
}
