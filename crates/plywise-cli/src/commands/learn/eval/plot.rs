use super::Epoch;
use plotters::prelude::*;

/// A picture of both losses over the epochs.
pub(super) fn losses(epochs: &[Epoch]) -> Result<String, String> {
    let mut picture = String::new();
    draw(&mut picture, epochs).map_err(|error| format!("cannot draw the losses: {error}"))?;
    Ok(picture)
}

fn draw(picture: &mut String, epochs: &[Epoch]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(picture, (720, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let all = epochs.iter().flat_map(|epoch| [epoch.training_loss, epoch.validation_loss]);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)));
    let room = ((high - low) * 0.05).max(1e-6);
    let last = epochs.last().map_or(1, |epoch| epoch.epoch.max(1));
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0..last, low - room..high + room)?;
    chart.configure_mesh().x_desc("epoch").y_desc("loss in bits").draw()?;
    let training: Vec<(u64, f64)> = epochs.iter().map(|epoch| (epoch.epoch, epoch.training_loss)).collect();
    let validation: Vec<(u64, f64)> = epochs.iter().map(|epoch| (epoch.epoch, epoch.validation_loss)).collect();
    for (name, colour, points) in [("training", BLUE, training), ("validation", RED, validation)] {
        chart
            .draw_series(LineSeries::new(points, &colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    chart.configure_series_labels().border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}
