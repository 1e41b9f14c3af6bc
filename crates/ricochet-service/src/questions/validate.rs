//! `validate`: a position that somebody is building.

use ricochet_core::MAX_CELLS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::request::Question;
use crate::view::{Draft, View};

/// Checks a position that is being built, and gives its line once it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validate {
    /// The position.
    pub setup: Draft,
    /// Before checking, adds the missing half of walls that only one of their two cells has, and the walls around the board.
    #[serde(default)]
    pub repair: bool,
}

impl Question for Validate {
    type Answer = View;

    fn answer(&self, _: &mut Call<'_>) -> Result<View, Error> {
        let lists = [
            self.setup.walls.len(),
            self.setup.diagonals.len(),
            self.setup.targets.len(),
            self.setup.robots.len(),
        ];
        if lists.into_iter().any(|length| length > MAX_CELLS) {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("a list has more than {MAX_CELLS} entries, and no board has more cells"),
            ));
        }
        let mut setup = self.setup.setup();
        if self.repair {
            setup.repair_walls();
        }
        Ok(View::of(&setup))
    }
}
