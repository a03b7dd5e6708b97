use plywise_game::notation::excerpt;
use plywise_game::parameters::{Parameter, ParameterError, Parameters};
use serde::{Deserialize, Serialize};

/// The most bits that a gene can have.
const MOST_BITS: u32 = 16;

/// A stretch of a chromosome: a number, and the parameters that it drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gene {
    /// What people call it.
    pub name: String,
    /// How many bits it has; without any, its value is fixed.
    pub bits: u32,
    /// The value of the code 0.
    #[serde(default)]
    pub offset: i32,
    /// What each code is more than the one before.
    #[serde(default = "one")]
    pub step: i32,
    /// The greatest value: greater codes stand for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<i32>,
    /// The parameters that it drives.
    pub drives: Vec<Drive>,
}

/// A parameter that a gene drives, or a list of them with a fixed shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// The name of the parameter, or of the list.
    pub path: String,
    /// What the value of the gene is multiplied by, for each place of the list: 0 leaves a place alone. For a single
    /// parameter just one number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shape: Vec<i32>,
    /// What the product is divided by then; the rest is dropped.
    #[serde(default = "one")]
    pub over: i32,
    /// What is added at last.
    #[serde(default)]
    pub plus: i32,
}

fn one() -> i32 {
    1
}

impl Drive {
    /// A parameter that is the value of the gene.
    pub fn plain(path: impl Into<String>) -> Drive {
        Drive { path: path.into(), shape: Vec::new(), over: 1, plus: 0 }
    }
}

impl Gene {
    /// A gene for one parameter, or option of an engine, with all its values from `min` to `max` by `step`.
    pub fn covering(path: &str, min: i32, max: i32, step: i32) -> Gene {
        let steps = (max.saturating_sub(min) / step.max(1)).max(0) as u32;
        Gene {
            name: path.to_owned(),
            bits: u32::BITS - steps.leading_zeros(),
            offset: min,
            step: step.max(1),
            most: Some(min + steps as i32 * step.max(1)),
            drives: vec![Drive::plain(path)],
        }
    }

    /// The value that a code stands for.
    pub fn value(&self, code: u32) -> i32 {
        let value = i64::from(self.offset) + i64::from(self.step) * i64::from(code);
        let value = value.min(self.most.map_or(i64::MAX, i64::from));
        value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }

    /// The code whose value is nearest to this one.
    pub(super) fn code(&self, value: i32) -> u32 {
        let codes = 0..1u32 << self.bits.min(MOST_BITS);
        codes.min_by_key(|&code| self.value(code).abs_diff(value)).unwrap_or(0)
    }
}

/// Genes as a file names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneFile {
    /// The game that they are for.
    pub game: String,
    /// What they are.
    #[serde(default)]
    pub description: String,
    /// What parameters are that no gene drives.
    #[serde(default)]
    pub others: Others,
    /// The genes, in the order of the chromosome.
    pub gene: Vec<Gene>,
}

/// What becomes of parameters that no gene drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// They stay what they are.
    #[default]
    Keep,
    /// They are 0.
    Zero,
}

/// Why genes cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneError {
    /// A parameter that does not exist.
    #[error("gene '{}': {error}", excerpt(gene))]
    Unknown {
        /// The gene.
        gene: String,
        /// What is said of the parameter.
        error: ParameterError,
    },
    /// Numbers that make no sense.
    #[error("gene '{}' {problem}", excerpt(gene))]
    Unsound {
        /// The gene.
        gene: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two genes for one parameter.
    #[error("'{path}' is driven by two genes, '{}' and '{}'", excerpt(first), excerpt(second))]
    Twice {
        /// The parameter.
        path: String,
        /// A gene that drives it.
        first: String,
        /// The other one.
        second: String,
    },
    /// Nothing could evolve.
    #[error("no gene has any bits")]
    Nothing,
}

/// What a gene does to one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Effect {
    gene: usize,
    times: i32,
    over: i32,
    plus: i32,
    min: i32,
    max: i32,
}

impl Effect {
    /// The value of the parameter; what lies outside its range becomes the nearest that does not.
    fn apply(&self, value: i32) -> i32 {
        let wanted = i64::from(value) * i64::from(self.times) / i64::from(self.over) + i64::from(self.plus);
        wanted.clamp(self.min.into(), self.max.into()) as i32
    }
}

/// Genes that were put in their places among declared parameters.
#[derive(Clone, Debug)]
pub struct Genome {
    genes: Vec<Gene>,
    others: Others,
    /// What is done to each parameter, in the order of declaration, or what it is.
    effects: Vec<Result<Effect, i32>>,
}

impl Genome {
    /// Genes for the parameters of `base`, from which come those that no gene drives.
    pub fn new<P: Parameters>(genes: Vec<Gene>, others: Others, base: &P) -> Result<Genome, GeneError> {
        let values = base.values().into_iter();
        let knobs = base.list().into_iter().zip(values).map(|(Parameter { min, max, .. }, value)| [min, max, value]);
        Genome::over(genes, others, &knobs.collect::<Vec<_>>(), &|path| base.place(path))
    }

    /// Genes for anything that can be set: the least and the greatest value of each thing and what it is now, and how to
    /// find one by its name.
    pub fn over(
        genes: Vec<Gene>,
        others: Others,
        knobs: &[[i32; 3]],
        place: &dyn Fn(&str) -> Result<usize, ParameterError>,
    ) -> Result<Genome, GeneError> {
        let fixed = |&[min, max, value]: &[i32; 3]| Err(if others == Others::Zero { 0.clamp(min, max) } else { value });
        let mut effects: Vec<Result<Effect, i32>> = knobs.iter().map(fixed).collect();
        for (number, gene) in genes.iter().enumerate() {
            check(gene)?;
            for drive in &gene.drives {
                check_shape(gene, drive, place)?;
                for (path, times) in paths(drive) {
                    let unknown = |error| GeneError::Unknown { gene: gene.name.clone(), error };
                    let place = place(&path).map_err(unknown)?;
                    if let Ok(Effect { gene: other, .. }) = effects[place] {
                        let [first, second] = [other, number].map(|number| genes[number].name.clone());
                        return Err(GeneError::Twice { path, first, second });
                    }
                    let (Drive { over, plus, .. }, [min, max, _]) = (drive, knobs[place]);
                    effects[place] = Ok(Effect { gene: number, times, over: *over, plus: *plus, min, max });
                }
            }
        }
        match genes.iter().any(|gene| gene.bits > 0) {
            true => Ok(Genome { genes, others, effects }),
            false => Err(GeneError::Nothing),
        }
    }

    /// The genes, in the order of the chromosome.
    pub fn genes(&self) -> &[Gene] {
        &self.genes
    }

    /// What becomes of parameters that no gene drives.
    pub fn others(&self) -> Others {
        self.others
    }

    /// The length of a chromosome.
    pub fn bits(&self) -> usize {
        self.genes.iter().map(|gene| gene.bits as usize).sum()
    }

    /// What each parameter is for these values of the genes, in the order of declaration.
    pub fn settings(&self, values: &[i32]) -> Vec<i32> {
        let setting = |effect: &Result<Effect, i32>| match effect {
            Ok(effect) => effect.apply(values[effect.gene]),
            Err(value) => *value,
        };
        self.effects.iter().map(setting).collect()
    }

    /// The values of the genes whose settings come nearest to these, for a player that comes from elsewhere.
    pub fn values_of(&self, settings: &[i32]) -> Vec<i32> {
        let nearest = |number: usize| {
            let gene = &self.genes[number];
            let driven: Vec<(&Effect, i32)> = self
                .effects
                .iter()
                .zip(settings)
                .filter_map(|(effect, &setting)| Some((effect.as_ref().ok().filter(|e| e.gene == number)?, setting)))
                .collect();
            let miss = |value: i32| -> u64 {
                let miss = |(effect, setting): &(&Effect, i32)| u64::from(effect.apply(value).abs_diff(*setting));
                driven.iter().map(miss).sum()
            };
            let values = (0..1u32 << gene.bits).map(|code| gene.value(code));
            values.min_by_key(|&value| miss(value)).unwrap_or(gene.offset)
        };
        (0..self.genes.len()).map(nearest).collect()
    }

    /// Parameters on which the genes have the same effect, together: for each parameter its group, or nothing where it
    /// is fixed, and for each group one of its parameters. Sums of parameters times amounts need only the groups.
    pub fn groups(&self) -> (Vec<Option<usize>>, Vec<usize>) {
        let mut groups: Vec<usize> = Vec::new();
        let mut group = |place: usize| {
            let effect = self.effects[place].as_ref().ok()?;
            let same = groups.iter().position(|&other| self.effects[other].as_ref().ok() == Some(effect));
            Some(same.unwrap_or_else(|| {
                groups.push(place);
                groups.len() - 1
            }))
        };
        let of = (0..self.effects.len()).map(&mut group).collect();
        (of, groups)
    }
}

fn check(gene: &Gene) -> Result<(), GeneError> {
    let unsound = |problem: &str| Err(GeneError::Unsound { gene: gene.name.clone(), problem: problem.to_owned() });
    if gene.bits > MOST_BITS {
        return unsound(&format!("has {} bits, but {MOST_BITS} are the most", gene.bits));
    }
    if gene.step == 0 || gene.drives.iter().any(|drive| drive.over == 0) {
        return unsound("has a step or a divisor of 0");
    }
    if gene.drives.is_empty() {
        return unsound("drives nothing");
    }
    Ok(())
}

/// A list is driven as a whole.
fn check_shape(
    gene: &Gene,
    drive: &Drive,
    place: &dyn Fn(&str) -> Result<usize, ParameterError>,
) -> Result<(), GeneError> {
    let unsound = |problem: String| Err(GeneError::Unsound { gene: gene.name.clone(), problem });
    let (path, count) = (&drive.path, drive.shape.len());
    match drive.shape[..] {
        [] | [_] => Ok(()),
        _ if place(&format!("{path}.{count}")).is_ok() => {
            unsound(format!("has {count} numbers for '{}', which is a longer list", excerpt(path)))
        }
        ref shape if shape.iter().all(|times| *times == 0) => {
            unsound(format!("leaves all of '{}' alone", excerpt(path)))
        }
        _ => Ok(()),
    }
}

/// The parameters that are driven, and what the value is multiplied by for each.
fn paths(drive: &Drive) -> Vec<(String, i32)> {
    match drive.shape[..] {
        [] => vec![(drive.path.clone(), 1)],
        [times] => vec![(drive.path.clone(), times)],
        ref shape => {
            let driven = shape.iter().enumerate().filter(|(_, times)| **times != 0);
            driven.map(|(i, &times)| (format!("{}.{i}", drive.path), times)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chromosome;
    use super::*;

    plywise_game::parameters! {
        /// Weights.
        pub struct Weights;
        /// Men.
        men: Men {
            /// Each man.
            values: [3] 0..=2000 = [100, 300, 500];
            /// On a rank.
            ranks: [4] -50..=50 = [1, 2, 3, 4];
        }
    }

    fn genes() -> Vec<Gene> {
        let shaped = |name: &str, bits, path: &str, shape: &[i32], over| Gene {
            name: name.into(),
            bits,
            offset: 0,
            step: 1,
            most: None,
            drives: vec![Drive { path: path.into(), shape: shape.into(), over, plus: 0 }],
        };
        let fixed = Gene { offset: 100, ..shaped("pawn", 0, "men.values.0", &[], 1) };
        vec![fixed, shaped("knight", 11, "men.values.1", &[], 1), shaped("ranks", 6, "men.ranks", &[0, 1, 2, -3], 2)]
    }

    #[test]
    fn genes_drive_parameters_and_lists() {
        let genome = Genome::new(genes(), Others::Zero, &Weights::DEFAULT).unwrap();
        assert_eq!(genome.bits(), 17);
        assert_eq!(genome.settings(&[100, 2047, 31]), [100, 2000, 0, 0, 15, 31, -46]);
        assert_eq!(genome.values_of(&[100, 321, 0, 0, 15, 31, -46]), [100, 321, 31]);
        let kept = Genome::new(genes(), Others::Keep, &Weights::DEFAULT).unwrap();
        assert_eq!(kept.settings(&[100, 7, 0])[2], 500);
    }

    #[test]
    fn a_chromosome_gives_back_what_was_put_in() {
        let genes = genes();
        let chromosome = Chromosome::encode(&[100, 1234, 63], &genes);
        assert_eq!((chromosome.len(), chromosome.decode(&genes)), (17, vec![100, 1234, 63]));
        let clamped = Gene { most: Some(4), ..Gene::covering("men.values.1", 0, 7, 1) };
        assert_eq!((clamped.bits, clamped.value(7)), (3, 4));
        assert_eq!(Gene::covering("x", 10, 20, 5).value(3), 20, "10, 15, 20, and nothing beyond");
        assert_eq!(Gene::covering("x", 0, 10, 4).value(3), 8, "0, 4, 8");
    }

    #[test]
    fn equal_effects_are_grouped() {
        let mut gene = Gene::covering("men.values.1", 0, 100, 1);
        gene.drives.push(Drive::plain("men.values.2"));
        let genome = Genome::new(vec![gene], Others::Keep, &Weights::DEFAULT).unwrap();
        assert_eq!(genome.groups(), (vec![None, Some(0), Some(0), None, None, None, None], vec![1]));
    }

    #[track_caller]
    fn refused(genes: Vec<Gene>, sentence: &str) {
        assert_eq!(Genome::new(genes, Others::Keep, &Weights::DEFAULT).unwrap_err().to_string(), sentence);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let plain = |path: &str| Gene::covering(path, 0, 7, 1);
        refused(
            vec![plain("men.valves.1")],
            "gene 'men.valves.1': unknown parameter 'men.valves.1'; the nearest is 'men.values.1'",
        );
        let twice = vec![plain("men.values.1"), Gene { name: "again".into(), ..plain("men.values.1") }];
        refused(twice, "'men.values.1' is driven by two genes, 'men.values.1' and 'again'");
        refused(
            vec![Gene { bits: 40, ..plain("men.values.1") }],
            "gene 'men.values.1' has 40 bits, but 16 are the most",
        );
        refused(vec![Gene { drives: vec![], ..plain("men.values.1") }], "gene 'men.values.1' drives nothing");
        let shaped = |shape: Vec<i32>| {
            let drives = vec![Drive { shape, ..Drive::plain("men.ranks") }];
            vec![Gene { name: "ranks".into(), drives, ..plain("men.ranks") }]
        };
        refused(shaped(vec![1, 2]), "gene 'ranks' has 2 numbers for 'men.ranks', which is a longer list");
        refused(shaped(vec![0; 4]), "gene 'ranks' leaves all of 'men.ranks' alone");
        let sentence = "gene 'ranks': unknown parameter 'men.ranks.4'; the nearest is 'men.ranks.0'";
        refused(shaped(vec![1; 5]), sentence);
        refused(vec![], "no gene has any bits");
    }
}
