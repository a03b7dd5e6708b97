use super::{Area, COLOURS, DrawError, Panel};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A table whose cells are the darker the larger their numbers.
pub struct HeatMap {
    /// What the numbers are.
    pub title: String,
    /// What runs to the right, and its values.
    pub across: (String, Vec<String>),
    /// The names of the rows, the first at the top.
    pub rows: Vec<String>,
    /// The numbers of each row.
    pub cells: Vec<Vec<f64>>,
}

/// The least and the greatest share of its colour that a cell has.
const FAINTEST: f64 = 0.08;
const STRONGEST: f64 = 0.75;

impl HeatMap {
    /// How strong the colour of a number is.
    fn strength(&self, number: f64) -> f64 {
        let all = || self.cells.iter().flatten().copied();
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let share = if high > low { (number - low) / (high - low) } else { 0.5 };
        FAINTEST + (STRONGEST - FAINTEST) * share
    }

    /// The names on the left need room.
    fn margin(&self) -> i32 {
        let longest = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        (7 * longest as i32 + 24).min(360)
    }
}

impl Panel for HeatMap {
    fn draw(&self, area: &Area) -> Result<(), DrawError> {
        const TOP: i32 = 36;
        const BOTTOM: i32 = 48;
        const RIGHT: i32 = 16;
        let (width, height) = area.dim_in_pixel();
        let (left, columns, rows) = (self.margin(), self.across.1.len().max(1), self.rows.len().max(1));
        let wide = f64::from(width as i32 - left - RIGHT) / columns as f64;
        let high = f64::from(height as i32 - TOP - BOTTOM) / rows as f64;
        let corner = |column: usize, row: usize| {
            (left + (column as f64 * wide).round() as i32, TOP + (row as f64 * high).round() as i32)
        };
        let words = |size: i32, h: HPos, v: VPos| ("sans-serif", size).into_font().color(&BLACK).pos(Pos::new(h, v));
        area.draw(&Text::new(self.title.clone(), (left, 10), words(14, HPos::Left, VPos::Top)))?;
        for (row, (name, cells)) in self.rows.iter().zip(&self.cells).enumerate() {
            let middle = (corner(0, row).1 + corner(0, row + 1).1) / 2;
            area.draw(&Text::new(name.clone(), (left - 8, middle), words(12, HPos::Right, VPos::Center)))?;
            for (column, &number) in cells.iter().enumerate() {
                let ends = [corner(column, row), corner(column + 1, row + 1)];
                area.draw(&Rectangle::new(ends, COLOURS[0].mix(self.strength(number)).filled()))?;
                let place = ((ends[0].0 + ends[1].0) / 2, middle);
                area.draw(&Text::new(super::label(number, 3), place, words(12, HPos::Center, VPos::Center)))?;
            }
        }
        let below = corner(0, rows).1;
        for (column, value) in self.across.1.iter().enumerate() {
            let place = ((corner(column, 0).0 + corner(column + 1, 0).0) / 2, below + 6);
            area.draw(&Text::new(value.clone(), place, words(12, HPos::Center, VPos::Top)))?;
        }
        let place = ((left + width as i32 - RIGHT) / 2, below + 26);
        area.draw(&Text::new(self.across.0.clone(), place, words(13, HPos::Center, VPos::Top)))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_number() {
        let map = HeatMap {
            title: "solved".into(),
            across: ("a.b".into(), vec!["1".into(), "2".into()]),
            rows: vec!["c.d=1".into(), "c.d=2".into(), "c.d=3".into()],
            cells: vec![vec![10.0, 20.0], vec![30.0, 41.0], vec![50.0, 60.0]],
        };
        let svg = super::super::to_svg(&[&map]).unwrap();
        for word in ["solved", "a.b", "c.d=3", "41"] {
            assert!(svg.contains(&format!("\n{word}\n")), "{word} in {svg}");
        }
        assert_eq!((map.strength(10.0), map.strength(60.0)), (FAINTEST, STRONGEST));
        let flat = HeatMap { cells: vec![vec![1.0]], ..map };
        assert!(flat.strength(1.0) > FAINTEST);
    }
}
