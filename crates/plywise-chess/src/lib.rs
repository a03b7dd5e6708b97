//! Chess for plywise: rules on cozy-chess, notation, a linear tapered evaluation.
