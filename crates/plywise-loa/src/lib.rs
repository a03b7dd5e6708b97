//! Lines of Action for plywise: rules on bitboards, notation, an evaluation in the manner of MIA.
