use super::Gene;
use plywise_game::random::Random;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The bits of an organism, written as a text of `0` and `1`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chromosome(Vec<bool>);

impl Chromosome {
    /// Random bits.
    pub(super) fn random(bits: usize, random: &mut Random) -> Chromosome {
        Chromosome((0..bits).map(|_| random.one_in(2)).collect())
    }

    /// The bits that stand for these values of the genes, or for the nearest values that the genes have.
    pub fn encode(values: &[i32], genes: &[Gene]) -> Chromosome {
        Chromosome(genes.iter().zip(values).flat_map(|(gene, &value)| to_gray(gene.code(value), gene.bits)).collect())
    }

    /// The value of each gene.
    pub fn decode(&self, genes: &[Gene]) -> Vec<i32> {
        let mut rest = &self.0[..];
        let mut next = |gene: &Gene| {
            let (bits, after) = rest.split_at((gene.bits as usize).min(rest.len()));
            rest = after;
            gene.value(from_gray(bits))
        };
        genes.iter().map(&mut next).collect()
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a bit is set.
    pub(super) fn bit(&self, place: usize) -> bool {
        self.0[place]
    }

    /// Uniform crossover: each bit of the first child comes from one of the parents at random, that of the second from
    /// the other (Syswerda, "Uniform crossover in genetic algorithms", 1989).
    pub(super) fn cross(&self, other: &Chromosome, random: &mut Random) -> [Chromosome; 2] {
        let pairs = self.0.iter().zip(&other.0);
        let (first, second) = pairs.map(|(&a, &b)| if random.one_in(2) { (a, b) } else { (b, a) }).unzip();
        [Chromosome(first), Chromosome(second)]
    }

    /// Turns each bit with this probability.
    pub(super) fn mutate(&mut self, probability: f64, random: &mut Random) {
        self.0.iter_mut().for_each(|bit| *bit ^= random.fraction() < probability);
    }
}

/// The number that a Gray code stands for; the highest bit comes first.
fn from_gray(bits: &[bool]) -> u32 {
    let mut above = false;
    bits.iter().fold(0, |code, &bit| {
        above ^= bit;
        code << 1 | u32::from(above)
    })
}

fn to_gray(code: u32, bits: u32) -> impl Iterator<Item = bool> {
    let gray = code ^ code >> 1;
    (0..bits).rev().map(move |bit| gray >> bit & 1 == 1)
}

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|&bit| f.write_str(if bit { "1" } else { "0" }))
    }
}

impl fmt::Debug for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Chromosome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Chromosome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chromosome, D::Error> {
        let bit = |letter| match letter {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(de::Error::custom("a chromosome has only 0 and 1")),
        };
        String::deserialize(deserializer)?.chars().map(bit).collect::<Result<_, _>>().map(Chromosome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_codes_differ_in_one_bit() {
        let gray = |code| to_gray(code, 6).collect::<Vec<_>>();
        for code in 0..64 {
            assert_eq!(from_gray(&gray(code)), code);
            let next = gray((code + 1) % 64);
            assert_eq!(gray(code).iter().zip(&next).filter(|(a, b)| a != b).count(), 1, "{code}");
        }
    }

    #[test]
    fn children_have_the_bits_of_their_parents() {
        let mut random = Random::new(5);
        let [mother, father] = [(); 2].map(|()| Chromosome::random(200, &mut random));
        let [first, second] = mother.cross(&father, &mut random);
        for place in 0..200 {
            let parents = [mother.bit(place), father.bit(place)];
            let children = [first.bit(place), second.bit(place)];
            assert!(children == parents || children == [parents[1], parents[0]], "{place}");
        }
        assert!(first != mother && first != father, "neither parent gives all bits");
    }

    #[test]
    fn a_text_of_other_letters_is_refused() {
        let read = |text: &str| serde_json::from_str::<Chromosome>(text);
        assert_eq!(read("\"0110\"").map(|chromosome| chromosome.to_string()).ok().as_deref(), Some("0110"));
        assert!(read("\"012\"").is_err());
    }
}
