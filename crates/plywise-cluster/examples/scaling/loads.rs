pub const LOADS: [(&str, bool); 1] = [("x", false)];
pub fn load(_: (&str, bool)) -> plywise_cluster::Load { todo!() }
