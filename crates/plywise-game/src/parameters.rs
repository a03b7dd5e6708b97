//! Parameters that are declared once.
//!
//! [`parameters!`](crate::parameters!) turns one declaration into a typed struct with constants `DEFAULT` and `OFF`,
//! and into a [`Parameters`] implementation, from which come the command line's `--set`, profile files, engine options,
//! generated documentation, and the genes and gradients of learners. A default outside its range does not compile.
//!
//! ```
//! use plywise_game::parameters::Parameters;
//!
//! plywise_game::parameters! {
//!     /// How the search of this example prunes.
//!     pub struct Example;
//!
//!     /// Null-move pruning: pass, search shallower, and cut if beta still holds.
//!     null_move: NullMove = on {
//!         /// Plies taken off the search after the pass.
//!         reduction: 1..=7 = 2;
//!         /// A cut must be verified by a search without it.
//!         verified: bool = false;
//!     }
//!     /// In what order moves are tried.
//!     ordering: Ordering {
//!         /// Quiet moves by 0 nothing, 1 history.
//!         quiet: 0..=1 = 1, named nothing history;
//!     }
//!     /// Piece values.
//!     material: Material {
//!         /// Pawn, knight, bishop, rook, queen.
//!         values: [5] 0..=2000 = [100, 320, 330, 500, 900];
//!     }
//! }
//!
//! let mut example = Example::DEFAULT;
//! example.set("null_move.reduction", "3").unwrap();
//! example.set("material.values.4", "950").unwrap();
//! example.set("null_move.verified", "on").unwrap();
//! example.set("null_move", "off").unwrap();
//! example.set("ordering.quiet", "nothing").unwrap();
//! assert_eq!(example.ordering.quiet, 0);
//! assert_eq!(example.null_move.reduction, 3);
//! assert!(example.null_move.verified && !example.null_move.on());
//! assert_eq!(
//!     example.set("null_move.redaction", "3").unwrap_err().to_string(),
//!     "unknown parameter 'null_move.redaction'; the nearest is 'null_move.reduction'"
//! );
//! assert_eq!(
//!     example.set("ordering.quiet", "luck").unwrap_err().to_string(),
//!     "ordering.quiet must be nothing, history, not 'luck'"
//! );
//! assert_eq!(
//!     example.set("null_move.reduction", "9").unwrap_err().to_string(),
//!     "null_move.reduction is 9, but must lie between 1 and 7"
//! );
//! ```

use crate::notation::excerpt;

/// One number of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of its group.
    pub group: &'static str,
    /// What the group is for.
    pub group_doc: &'static str,
    /// Its own name.
    pub name: &'static str,
    /// Its place, where it is one of a list.
    pub index: Option<usize>,
    /// What it means.
    pub doc: &'static str,
    /// Its least value.
    pub min: i32,
    /// Its greatest value.
    pub max: i32,
    /// Its value unless set.
    pub default: i32,
    /// What its values are called, from the least on, where they are choices rather than amounts; else empty.
    pub names: &'static [&'static str],
    /// Whether it is either on, 1, or off, 0.
    pub is_bool: bool,
    /// Whether it switches its group on and off.
    pub is_switch: bool,
}

impl Parameter {
    /// The name by which it is set: `group.name`, or `group.name.3` in a list.
    pub fn path(&self) -> String {
        match self.index {
            Some(index) => format!("{}.{}.{index}", self.group, self.name),
            None => format!("{}.{}", self.group, self.name),
        }
    }

    /// What a value is called, where it has a name.
    pub fn name_of(&self, value: i32) -> Option<&'static str> {
        self.names.get(usize::try_from(value.checked_sub(self.min)?).ok()?).copied()
    }

    /// The bits that a gene for it needs.
    pub fn bits(&self) -> u32 {
        let values = i64::from(self.max) - i64::from(self.min) + 1;
        64 - (values - 1).leading_zeros()
    }

    /// Whether this is its name. Every parameter is asked for every name of a file, so nothing is written down for it.
    fn is_named(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix(self.group) else { return false };
        if self.is_switch && rest.is_empty() {
            return true;
        }
        let rest = rest.strip_prefix('.').and_then(|rest| rest.strip_prefix(self.name));
        match (rest, self.index) {
            (None, _) => false,
            (Some(rest), None) => rest.is_empty(),
            (Some(rest), Some(index)) => rest.strip_prefix('.').is_some_and(|place| place == index.to_string()),
        }
    }
}

/// Why a parameter could not be set: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is no such name.
    #[error("unknown parameter '{}'{}", excerpt(path), suggestion(nearest.as_deref()))]
    Unknown {
        /// The name that was given.
        path: String,
        /// The name that it resembles, if there is one.
        nearest: Option<String>,
    },
    /// The value is not a whole number, or not `on` or `off` where that is asked for.
    #[error("{path} must be {}, not '{}'", if *is_bool { "'on' or 'off'" } else { "a whole number" }, excerpt(text))]
    NotANumber {
        /// The parameter.
        path: String,
        /// The value that was given.
        text: String,
        /// Whether it takes `on` and `off`.
        is_bool: bool,
    },
    /// The value is none of the choices.
    #[error("{path} must be {}, not '{}'", names.join(", "), excerpt(text))]
    NotAName {
        /// The parameter.
        path: String,
        /// The value that was given.
        text: String,
        /// The choices.
        names: &'static [&'static str],
    },
    /// The value lies outside the declared range.
    #[error("{path} is {value}, but must lie between {min} and {max}")]
    OutOfRange {
        /// The parameter.
        path: String,
        /// The value that was given.
        value: i64,
        /// Its least value.
        min: i32,
        /// Its greatest value.
        max: i32,
    },
}

impl ParameterError {
    /// The same about a parameter whose name is shown with `prefix` in front.
    pub fn within(mut self, prefix: &str) -> ParameterError {
        let (ParameterError::Unknown { path, .. }
        | ParameterError::NotANumber { path, .. }
        | ParameterError::NotAName { path, .. }
        | ParameterError::OutOfRange { path, .. }) = &mut self;
        path.insert_str(0, prefix);
        if let ParameterError::Unknown { nearest: Some(nearest), .. } = &mut self {
            nearest.insert_str(0, prefix);
        }
        self
    }
}

/// A set of declared parameters.
pub trait Parameters: Clone + PartialEq {
    /// Calls `each` for every parameter and its value, in the order of declaration.
    fn visit(&self, each: &mut dyn FnMut(&Parameter, i32));

    /// Calls `each` for every parameter and its place, in the order of declaration.
    fn visit_mut(&mut self, each: &mut dyn FnMut(&Parameter, &mut i32));

    /// The declaration of a set that is known by its type.
    fn declared() -> Vec<Parameter>
    where
        Self: Default,
    {
        Self::default().list()
    }

    /// Every parameter, in the order of declaration.
    fn list(&self) -> Vec<Parameter> {
        let mut all = Vec::new();
        self.visit(&mut |parameter, _| all.push(*parameter));
        all
    }

    /// The declaration of one parameter.
    fn find(path: &str) -> Result<Parameter, ParameterError>
    where
        Self: Default,
    {
        let set = Self::default();
        Ok(set.list()[set.place(path)?])
    }

    /// The place of one parameter in the order of declaration.
    fn place(&self, path: &str) -> Result<usize, ParameterError> {
        let all = self.list();
        all.iter().position(|parameter| parameter.is_named(path)).ok_or_else(|| unknown(path, &all))
    }

    /// The value of one parameter.
    fn get(&self, path: &str) -> Result<i32, ParameterError> {
        let mut found = None;
        self.visit(&mut |parameter, value| {
            if parameter.is_named(path) {
                found = Some(value);
            }
        });
        found.ok_or_else(|| unknown(path, &self.list()))
    }

    /// Sets one parameter from text: a whole number, `on` and `off` where it is one or the other, or the name of a choice.
    fn set(&mut self, path: &str, text: &str) -> Result<(), ParameterError> {
        let mut result = Err(None);
        self.visit_mut(&mut |parameter, place| {
            if parameter.is_named(path) {
                result = parse(parameter, text).map(|value| *place = value).map_err(Some);
            }
        });
        result.map_err(|error| error.unwrap_or_else(|| unknown(path, &self.list())))
    }

    /// Sets all parameters to these values, in the order of declaration; a value outside its range becomes the nearest
    /// inside.
    fn set_values(&mut self, values: &[i32]) {
        let mut values = values.iter();
        self.visit_mut(&mut |parameter, place| {
            if let Some(&value) = values.next() {
                *place = value.clamp(parameter.min, parameter.max);
            }
        });
    }

    /// All values, in the order of declaration.
    fn values(&self) -> Vec<i32> {
        let mut values = Vec::new();
        self.visit(&mut |_, value| values.push(value));
        values
    }
}

fn parse(parameter: &Parameter, text: &str) -> Result<i32, ParameterError> {
    let path = parameter.path();
    let value = match text.trim() {
        "on" | "true" if parameter.is_bool => 1,
        "off" | "false" if parameter.is_bool => 0,
        word => match parameter.names.iter().position(|name| name.eq_ignore_ascii_case(word)) {
            Some(place) => i64::from(parameter.min) + place as i64,
            None => word.parse().map_err(|_| unreadable(parameter, text))?,
        },
    };
    i32::try_from(value)
        .ok()
        .filter(|value| (parameter.min..=parameter.max).contains(value))
        .ok_or(ParameterError::OutOfRange { path, value, min: parameter.min, max: parameter.max })
}

fn unreadable(parameter: &Parameter, text: &str) -> ParameterError {
    let (path, text) = (parameter.path(), text.to_string());
    match *parameter {
        Parameter { names: [], is_bool, .. } => ParameterError::NotANumber { path, text, is_bool },
        Parameter { names, .. } => ParameterError::NotAName { path, text, names },
    }
}

fn unknown(path: &str, declared: &[Parameter]) -> ParameterError {
    let nearest = nearest_name(path, declared.iter().map(Parameter::path));
    ParameterError::Unknown { path: path.to_string(), nearest }
}

/// The candidate that `name` resembles most, for messages about names that do not exist; `None` where it resembles none.
///
/// ```
/// use plywise_game::parameters::nearest_name;
/// let games = || ["chess", "loa"].map(String::from);
/// assert_eq!(nearest_name("Ches", games()).as_deref(), Some("chess"));
/// assert_eq!(nearest_name("backgammon", games()), None);
/// ```
pub fn nearest_name(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    /// Winkler's measure of names that share little more than a few letters lies below this.
    const LEAST_LIKENESS: f64 = 0.75;
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))
        .map(|(_, candidate)| candidate)
}

/// What a message about a name that does not exist ends with: the name that may have been meant, if there is one.
pub fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |nearest| format!("; the nearest is '{nearest}'"))
}

#[doc(hidden)]
pub mod macro_support {
    //! What [`parameters!`](crate::parameters!) expands to relies on.

    /// A declared field: one number, a list of them, or a bool.
    pub trait Field {
        /// Shows each number to `each`, which may change it.
        fn visit(&mut self, each: &mut dyn FnMut(usize, &mut i32));
        const IS_LIST: bool = false;
        const IS_BOOL: bool = false;

        fn number(mut self, index: usize) -> i32
        where
            Self: Sized,
        {
            let mut found = 0;
            self.visit(&mut |i, number| {
                if i == index {
                    found = *number;
                }
            });
            found
        }
    }

    impl Field for i32 {
        fn visit(&mut self, each: &mut dyn FnMut(usize, &mut i32)) {
            each(0, self);
        }
    }

    impl Field for bool {
        fn visit(&mut self, each: &mut dyn FnMut(usize, &mut i32)) {
            let mut number = i32::from(*self);
            each(0, &mut number);
            *self = number != 0;
        }
        const IS_BOOL: bool = true;
    }

    impl<const N: usize> Field for [i32; N] {
        fn visit(&mut self, each: &mut dyn FnMut(usize, &mut i32)) {
            self.iter_mut().enumerate().for_each(|(i, number)| each(i, number));
        }
        const IS_LIST: bool = true;
    }

    pub const fn all_named(names: &[&str], min: i32, max: i32) -> bool {
        names.is_empty() || names.len() as i64 == max as i64 - min as i64 + 1
    }

    pub const fn all_within(numbers: &[i32], min: i32, max: i32) -> bool {
        let mut i = 0;
        while i < numbers.len() {
            if numbers[i] < min || numbers[i] > max {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// Declares a struct of parameters; see [the module](mod@crate::parameters).
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $doc:literal])*
        pub struct $Set:ident;
        $(
            $(#[doc = $group_doc:literal])*
            $group:ident : $Group:ident $(= $switch:ident)? {
                $(
                    $(#[doc = $field_doc:literal])*
                    $field:ident : $([$count:expr])? $($flag:ident)? $($min:literal ..= $max:literal)? = $default:expr
                        $(, named $($choice:ident)+)?;
                )*
            }
        )*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $Set {
            $( $(#[doc = $group_doc])* pub $group: $Group, )*
        }

        $(
            $(#[doc = $group_doc])*
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct $Group {
                $( #[doc = "Whether it is switched on."] pub enabled: $crate::parameters!(@switch_type $switch), )?
                $( $(#[doc = $field_doc])* pub $field: $crate::parameters!(@type $($flag)? $([$count])?), )*
            }

            impl $Group {
                $(
                    #[doc = "Whether it is switched on."]
                    #[inline]
                    pub const fn on(&self) -> bool {
                        let enabled: $crate::parameters!(@switch_type $switch) = self.enabled;
                        enabled
                    }
                )?
            }

            $(
                const _: () = assert!(
                    $crate::parameters::macro_support::all_within(
                        $crate::parameters!(@slice $($flag)? $([$count])? $default),
                        $crate::parameters!(@min $($min)?),
                        $crate::parameters!(@max $($max)?),
                    ),
                    concat!("the default of ", stringify!($group), ".", stringify!($field), " is out of range")
                );
                const _: () = assert!(
                    $crate::parameters::macro_support::all_named(
                        &[$($(stringify!($choice)),+)?],
                        $crate::parameters!(@min $($min)?),
                        $crate::parameters!(@max $($max)?),
                    ),
                    concat!("not every value of ", stringify!($group), ".", stringify!($field), " has a name")
                );
            )*
        )*

        impl $Set {
            /// Every parameter as declared.
            pub const DEFAULT: $Set = $Set {
                $( $group: $Group {
                    $( enabled: $crate::parameters!(@switch_value $switch), )?
                    $( $field: $default, )*
                }, )*
            };

            /// Every switch off, every number as declared.
            pub const OFF: $Set = $Set {
                $( $group: $Group {
                    $( enabled: $crate::parameters!(@switch_off $switch), )?
                    $( $field: $default, )*
                }, )*
            };
        }

        impl Default for $Set {
            fn default() -> $Set {
                $Set::DEFAULT
            }
        }

        impl $crate::parameters::Parameters for $Set {
            fn visit(&self, each: &mut dyn FnMut(&$crate::parameters::Parameter, i32)) {
                // The declaration is walked in one place; a copy is cheap beside what the caller does.
                self.clone().visit_mut(&mut |parameter, value| each(parameter, *value));
            }

            fn visit_mut(&mut self, each: &mut dyn FnMut(&$crate::parameters::Parameter, &mut i32)) {
                use $crate::parameters::macro_support::Field;
                $(
                    let group_doc = concat!($($group_doc),*).trim_ascii();
                    $( self.$group.enabled.visit(&mut |_, place| each(
                        &$crate::parameters::Parameter {
                            group: stringify!($group),
                            group_doc,
                            name: "enabled",
                            index: None,
                            doc: "Whether it is switched on.",
                            min: 0,
                            max: 1,
                            default: $crate::parameters!(@switch_value $switch) as i32,
                            names: &[],
                            is_bool: true,
                            is_switch: true,
                        },
                        place,
                    )); )?
                    $( {
                        type Kind = $crate::parameters!(@type $($flag)? $([$count])?);
                        const DEFAULT: Kind = $default;
                        self.$group.$field.visit(&mut |i, place| each(
                            &$crate::parameters::Parameter {
                                group: stringify!($group),
                                group_doc,
                                name: stringify!($field),
                                index: <Kind as Field>::IS_LIST.then_some(i),
                                doc: concat!($($field_doc),*).trim_ascii(),
                                min: $crate::parameters!(@min $($min)?),
                                max: $crate::parameters!(@max $($max)?),
                                default: DEFAULT.number(i),
                                names: &[$($(stringify!($choice)),+)?],
                                is_bool: <Kind as Field>::IS_BOOL,
                                is_switch: false,
                            },
                            place,
                        ));
                    } )*
                )*
            }
        }
    };
    (@type) => { i32 };
    (@type bool) => { bool };
    (@type [$count:expr]) => { [i32; $count] };
    (@min) => { 0 };
    (@min $min:literal) => { $min };
    (@max) => { 1 };
    (@max $max:literal) => { $max };
    (@slice bool $default:expr) => { &[$default as i32] };
    (@slice [$count:expr] $default:expr) => { &$default };
    (@slice $default:expr) => { &[$default] };
    (@switch_type $switch:ident) => { bool };
    (@switch_value on) => { true };
    (@switch_value off) => { false };
    (@switch_off $switch:ident) => { false };
}
