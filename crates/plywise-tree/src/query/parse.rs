//! From the text of a question to what is to be asked. Every error names its place.

use super::fields::{Field, Sort, Value};
use plywise_game::parameters::nearest_name;

/// Where a question is not understood, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (at character {}: {})", at + 1, self.shown())]
pub struct QueryError {
    /// The question.
    pub text: String,
    /// The character, counted from 0.
    pub at: usize,
    /// What is wrong.
    pub reason: String,
}

impl QueryError {
    /// The question with a mark at the place.
    fn shown(&self) -> String {
        let (before, behind): (String, String) =
            (self.text.chars().take(self.at).collect(), self.text.chars().skip(self.at).collect());
        format!("{before}⏵{behind}")
    }
}

/// What is to be asked of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Constant(Value),
    /// A field of the node, or of the one this many generations above.
    Field {
        generations: usize,
        field: Field,
    },
    OfRoot(Field),
    Path,
    Move,
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// The first plus the second times this factor.
    Sum(f64, Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
    Quotient(Box<Expr>, Box<Expr>),
    Absolute(Box<Expr>),
    /// What relatives say together.
    Over(Fold, Relation, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Begins,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Any,
    All,
    Count,
    Sum,
    Least,
    Most,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Child,
    Ancestor,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    /// A word, with its dots.
    Word(String),
    Text(String),
    Sign(&'static str),
    End,
}

/// Longer signs first.
const SIGNS: [&str; 14] = ["!=", "<=", ">=", "==", "=", "<", ">", "(", ")", ",", "+", "-", "*", "/"];

/// How deep parentheses may be nested.
const DEEPEST: usize = 64;

pub(super) fn parse(text: &str) -> Result<Expr, QueryError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
    let expr = parser.any_of()?;
    match parser.peek() {
        Token::End => {}
        _ => return Err(parser.error("an operator such as 'and' was expected here")),
    }
    match sort(&expr) {
        Some(Sort::Truth) | None => Ok(expr),
        Some(_) => Err(QueryError { text: text.into(), at: 0, reason: "a question is true or false of a node".into() }),
    }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, QueryError> {
    let error = |at: usize, reason: &str| QueryError { text: text.into(), at, reason: reason.into() };
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(&first) = chars.get(at) {
        let begin = at;
        let mut take_while = |fits: fn(char) -> bool| {
            while chars.get(at).is_some_and(|&next| fits(next)) {
                at += 1;
            }
            chars[begin..at].iter().collect::<String>()
        };
        let token = match first {
            _ if first.is_whitespace() => {
                at += 1;
                continue;
            }
            '0'..='9' | '.' => {
                let number = take_while(|next| next.is_ascii_digit() || next == '.' || next == '_');
                let number = number.replace('_', "").parse().map_err(|_| error(begin, "this is no number"))?;
                Token::Number(number)
            }
            _ if first.is_alphabetic() => {
                Token::Word(take_while(|next| next.is_alphanumeric() || next == '_' || next == '.'))
            }
            '\'' | '"' => {
                let length = chars[begin + 1..].iter().position(|&next| next == first);
                let end = begin + 1 + length.ok_or_else(|| error(begin, "this quotation has no end"))?;
                at = end + 1;
                let words: String = chars[begin + 1..end].iter().collect();
                Token::Text(words.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            _ => {
                let rest: String = chars[begin..chars.len().min(begin + 2)].iter().collect();
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| error(begin, "this character means nothing here"))?;
                at += sign.len();
                Token::Sign(sign)
            }
        };
        tokens.push((begin, token));
    }
    tokens.push((chars.len(), Token::End));
    Ok(tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

type Parsed = Result<Expr, QueryError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].1
    }

    fn place(&self) -> usize {
        self.tokens[self.at].0
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn error(&self, reason: impl Into<String>) -> QueryError {
        self.error_at(self.place(), reason)
    }

    fn error_at(&self, at: usize, reason: impl Into<String>) -> QueryError {
        QueryError { text: self.text.into(), at, reason: reason.into() }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Word(next) if next == word);
        if is_it {
            self.advance();
        }
        is_it
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Sign(next) if *next == sign);
        if is_it {
            self.advance();
        }
        is_it
    }

    fn expect_sign(&mut self, sign: &str) -> Result<(), QueryError> {
        if self.takes_sign(sign) { Ok(()) } else { Err(self.error(format!("'{sign}' was expected here"))) }
    }

    fn any_of(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("this is nested too deep"));
        }
        let mut any = vec![self.all_of()?];
        while self.takes_word("or") {
            any.push(self.all_of()?);
        }
        self.depth -= 1;
        Ok(if any.len() == 1 { any.remove(0) } else { Expr::Or(any) })
    }

    fn all_of(&mut self) -> Parsed {
        let mut all = vec![self.negated()?];
        while self.takes_word("and") {
            all.push(self.negated()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::And(all) })
    }

    fn negated(&mut self) -> Parsed {
        let mut is_negated = false;
        while self.takes_word("not") {
            is_negated = !is_negated;
        }
        let inner = self.comparison()?;
        Ok(if is_negated { Expr::Not(Box::new(inner)) } else { inner })
    }

    fn comparison(&mut self) -> Parsed {
        let begin = self.place();
        let left = self.sum()?;
        let compare = match self.peek() {
            Token::Sign("=" | "==") => Compare::Equal,
            Token::Sign("!=") => Compare::Unequal,
            Token::Sign("<") => Compare::Less,
            Token::Sign("<=") => Compare::AtMost,
            Token::Sign(">") => Compare::Greater,
            Token::Sign(">=") => Compare::AtLeast,
            Token::Word(word) if word == "begins" => Compare::Begins,
            _ => return Ok(left),
        };
        let sign = self.place();
        self.advance();
        let place = self.place();
        let right = match (&left, self.peek().clone()) {
            // The names of a field are words of their own.
            (Expr::Field { field, .. } | Expr::OfRoot(field), Token::Word(word)) if field.sort() == Sort::Word => {
                self.name_of(*field, &word)?
            }
            (_, Token::Word(word)) if word == "none" => {
                self.advance();
                Expr::Constant(Value::Word("none"))
            }
            _ => self.sum()?,
        };
        let is_text = |expr: &Expr| matches!(expr, Expr::Path | Expr::Move | Expr::Constant(Value::Text(_)));
        if compare == Compare::Begins && !(is_text(&left) && is_text(&right)) {
            return Err(self.error_at(sign, "'begins' stands between a path and a text"));
        }
        let is_ordered = matches!(compare, Compare::Less | Compare::AtMost | Compare::Greater | Compare::AtLeast);
        if is_ordered && [&left, &right].iter().any(|expr| sort(expr).is_some_and(|sort| sort != Sort::Number)) {
            return Err(self.error_at(sign, "only numbers are more or less than others"));
        }
        if is_text(&left) != is_text(&right) && right != Expr::Constant(Value::Word("none")) {
            return Err(self.error_at(place, "a path or a move is compared with a text in quotation marks"));
        }
        let sorts = (sort(&left), sort(&right));
        if let (Some(one), Some(other)) = sorts
            && one != other
            && right != Expr::Constant(Value::Word("none"))
        {
            return Err(self.error_at(begin, "these two cannot be compared"));
        }
        Ok(Expr::Compare(compare, Box::new(left), Box::new(right)))
    }

    /// A name that a field can have.
    fn name_of(&mut self, field: Field, word: &str) -> Parsed {
        let words = field.words();
        match words.iter().find(|each| **each == word) {
            Some(&word) => {
                self.advance();
                Ok(Expr::Constant(Value::Word(word)))
            }
            // Another field of the same sort.
            None if self.is_field(word) => self.sum(),
            None => {
                let nearest = nearest_name(word, words.iter().map(|word| word.to_string()));
                let hint = nearest.map_or(format!("it is one of {}", words.join(", ")), |nearest| {
                    format!("the nearest is '{nearest}'")
                });
                Err(self.error(format!("'{}' cannot be '{word}'; {hint}", field.name())))
            }
        }
    }

    fn is_field(&self, word: &str) -> bool {
        let last = word.rsplit('.').next().unwrap_or(word);
        Field::named(last).is_some()
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let sign = match self.peek() {
                Token::Sign("+") => 1.0,
                Token::Sign("-") => -1.0,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            left = Expr::Sum(sign, Box::new(left), Box::new(right));
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.factor()?;
        loop {
            let join = match self.peek() {
                Token::Sign("*") => Expr::Product,
                Token::Sign("/") => Expr::Quotient,
                _ => return Ok(left),
            };
            self.advance();
            left = join(Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Parsed {
        match self.peek().clone() {
            Token::Number(number) => {
                self.advance();
                Ok(Expr::Constant(Value::Number(number)))
            }
            Token::Text(text) => {
                self.advance();
                Ok(Expr::Constant(Value::Text(text)))
            }
            Token::Sign("-") => {
                self.advance();
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(self.error("this is nested too deep"));
                }
                let inner = self.factor()?;
                self.depth -= 1;
                Ok(Expr::Sum(-1.0, Box::new(Expr::Constant(Value::Number(0.0))), Box::new(inner)))
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.any_of()?;
                self.expect_sign(")")?;
                Ok(inner)
            }
            Token::Word(word) => self.word(&word),
            Token::Sign(_) | Token::End => Err(self.error("a field, a number or '(' was expected here")),
        }
    }

    fn word(&mut self, word: &str) -> Parsed {
        let place = self.place();
        self.advance();
        if self.takes_sign("(") {
            return self.call(word, place);
        }
        match word {
            "path" => return Ok(Expr::Path),
            "move" => return Ok(Expr::Move),
            "true" => return Ok(Expr::Constant(Value::Truth(true))),
            "false" => return Ok(Expr::Constant(Value::Truth(false))),
            _ => {}
        }
        let mut parts: Vec<&str> = word.split('.').collect();
        let last = parts.pop().unwrap_or("");
        let field = Field::named(last).ok_or_else(|| self.unknown(last, place))?;
        match parts.as_slice() {
            ["root"] => Ok(Expr::OfRoot(field)),
            parts if parts.iter().all(|part| *part == "parent") => Ok(Expr::Field { generations: parts.len(), field }),
            _ => Err(self.error_at(place, "before the dot stands 'parent' or 'root'")),
        }
    }

    fn unknown(&self, word: &str, place: usize) -> QueryError {
        let names = super::FIELDS.iter().map(|(name, _)| name.to_string());
        let hint = nearest_name(word, names.chain(["path".into(), "move".into()]));
        let hint =
            hint.map_or("'plywise tree query --help' lists them".into(), |name| format!("the nearest is '{name}'"));
        self.error_at(place, format!("unknown field '{word}'; {hint}"))
    }

    fn call(&mut self, name: &str, place: usize) -> Parsed {
        let fold = match name {
            "abs" => {
                let inner = self.any_of()?;
                self.expect_sign(")")?;
                return Ok(Expr::Absolute(Box::new(inner)));
            }
            "any" => Fold::Any,
            "all" => Fold::All,
            "count" => Fold::Count,
            "sum" => Fold::Sum,
            "min" => Fold::Least,
            "max" => Fold::Most,
            _ => {
                let reason = format!("unknown function '{name}'; there are any, all, count, sum, min, max and abs");
                return Err(self.error_at(place, reason));
            }
        };
        let relation = if self.takes_word("child") {
            Relation::Child
        } else if self.takes_word("ancestor") {
            Relation::Ancestor
        } else {
            return Err(self.error("'child' or 'ancestor' was expected here"));
        };
        let inner = match fold {
            Fold::Count if self.takes_sign(")") => {
                return Ok(Expr::Over(fold, relation, Box::new(Expr::Constant(Value::Truth(true)))));
            }
            _ => {
                self.expect_sign(",")?;
                self.any_of()?
            }
        };
        let is_of_numbers = matches!(fold, Fold::Sum | Fold::Least | Fold::Most);
        let wanted = if is_of_numbers { Sort::Number } else { Sort::Truth };
        if sort(&inner).is_some_and(|sort| sort != wanted) {
            let what = if is_of_numbers { "a number" } else { "true or false" };
            return Err(self.error_at(place, format!("'{name}' asks its relatives for what is {what}")));
        }
        self.expect_sign(")")?;
        Ok(Expr::Over(fold, relation, Box::new(inner)))
    }
}

/// What the values of an expression are; `None` for texts.
fn sort(expr: &Expr) -> Option<Sort> {
    match expr {
        Expr::Constant(Value::Number(_))
        | Expr::Sum(..)
        | Expr::Product(..)
        | Expr::Quotient(..)
        | Expr::Absolute(_)
        | Expr::Over(Fold::Count | Fold::Sum | Fold::Least | Fold::Most, ..) => Some(Sort::Number),
        Expr::Constant(Value::Word(_)) => Some(Sort::Word),
        Expr::Field { field, .. } | Expr::OfRoot(field) => Some(field.sort()),
        Expr::Constant(Value::Text(_) | Value::Missing) | Expr::Path | Expr::Move => None,
        Expr::Constant(Value::Truth(_))
        | Expr::Not(_)
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Compare(..)
        | Expr::Over(Fold::Any | Fold::All, ..) => Some(Sort::Truth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, at: usize, reason: &str) {
        let error = parse(text).expect_err(text);
        assert_eq!((error.at, error.reason.as_str()), (at, reason), "{text}");
    }

    #[test]
    fn questions_are_understood() {
        for text in [
            "kind = cut and cut_by = multi_cut and parent.depth >= 4 and value < parent.beta",
            "any(child, purpose = null_move and value >= beta) and subtree > 10_000",
            "count(child) > 20 or path begins 'e4  e5'",
            "not (uncertain or abs(value - evaluation) > 2 * 100)",
            "max(child, -value) != value and end = moves",
            "evaluation = none and root.depth = 5 and parent.parent.kind = parent.kind",
            "uncertain",
            "move = 'Nf3' and all(ancestor, kind = pv)",
        ] {
            parse(text).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn mistakes_are_pointed_at() {
        refused("kind = cat", 7, "'kind' cannot be 'cat'; the nearest is 'cut'");
        refused("kind = ", 7, "a field, a number or '(' was expected here");
        refused("dept > 3", 0, "unknown field 'dept'; the nearest is 'depth'");
        refused("depth > 3 depth < 4", 10, "an operator such as 'and' was expected here");
        refused("depth", 0, "a question is true or false of a node");
        refused("(depth > 3", 10, "')' was expected here");
        refused("any(cousin, depth > 3)", 4, "'child' or 'ancestor' was expected here");
        refused("each(child)", 0, "unknown function 'each'; there are any, all, count, sum, min, max and abs");
        refused("depth > cut", 8, "unknown field 'cut'; the nearest is 'cut_by'");
        refused("depth > xyzzy", 8, "unknown field 'xyzzy'; 'plywise tree query --help' lists them");
        refused("kind > cut", 5, "only numbers are more or less than others");
        refused("path = 3", 7, "a path or a move is compared with a text in quotation marks");
        refused("move = 'e4", 7, "this quotation has no end");
        refused("depth > 1.2.3", 8, "this is no number");
        refused("depth ; 3", 6, "this character means nothing here");
        refused("child.depth > 3", 0, "before the dot stands 'parent' or 'root'");
        refused("sum(child, kind = cut) > 3", 0, "'sum' asks its relatives for what is a number");
        refused(&"(".repeat(100), 64, "this is nested too deep");
        refused(&format!("depth > {}3", "-".repeat(100)), 72, "this is nested too deep");
        assert!(parse("").is_err());
    }

    #[test]
    fn the_place_is_shown() {
        let error = parse("ply > 1 and kind = cat").unwrap_err();
        let shown = "'kind' cannot be 'cat'; the nearest is 'cut' (at character 20: ply > 1 and kind = ⏵cat)";
        assert_eq!(error.to_string(), shown);
    }
}
