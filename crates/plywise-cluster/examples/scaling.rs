//! How a match scales on paper: `cargo run --release -p plywise-cluster --example scaling -- docs/cluster-scaling.svg`
//! prints a table for docs/cluster.md and draws its picture.
#![allow(clippy::print_stdout)]

#[path = "scaling/loads.rs"]
mod loads;

use loads::{LOADS, load};
use plotters::prelude::*;
use plywise_cluster::simulate;
use std::error::Error;

const WORKERS: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

fn main() -> Result<(), Box<dyn Error>> {
    println!("| workers | {} |", LOADS.map(|(name, ..)| name).join(" | "));
    println!("| ---: |{}", " ---: |".repeat(LOADS.len()));
    for workers in WORKERS {
        let cells = LOADS.map(|kind| {
            let course = simulate(&load(kind), workers);
            format!("{:.1} % in {}, {} wasted", 100.0 * course.efficiency, duration(course.time), course.wasted)
        });
        println!("| {workers} | {} |", cells.join(" | "));
    }
    std::env::args().nth(1).map_or(Ok(()), |file| draw(&file))
}

fn duration(seconds: f64) -> String {
    match seconds as u64 {
        0..120 => format!("{seconds:.0} s"),
        120..7200 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn draw(file: &str) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(file, (720, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d((1f64..1024f64).log_scale(), 0f64..100f64)?;
    let label = |workers: &f64| format!("{workers:.0}");
    chart.configure_mesh().x_desc("workers").y_desc("efficiency, %").x_label_formatter(&label).draw()?;
    for (kind, colour) in LOADS.into_iter().zip([BLUE, RED, GREEN]) {
        let points = WORKERS.map(|workers| (workers as f64, 100.0 * simulate(&load(kind), workers).efficiency));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(kind.0)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    let place = SeriesLabelPosition::LowerLeft;
    chart.configure_series_labels().position(place).background_style(WHITE).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
