/// The networks that come with plywise, by name. Each file says how it was made.
const NETWORKS: &[(&str, &[u8])] = &[
    ("abalone", include_bytes!("../networks/abalone.net")),
    ("chess", include_bytes!("../networks/chess.net")),
    ("loa", include_bytes!("../networks/loa.net")),
];

/// The bytes of a built-in network.
pub fn built_in(name: &str) -> Option<&'static [u8]> {
    NETWORKS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}
