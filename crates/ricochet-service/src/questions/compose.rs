//! `compose`: a position on an official layout.

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Layout;
use ricochet_core::{Rules, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::request::Question;
use crate::view::{GoalView, RulesView, View};
use crate::words::{Place, cell};

/// Asks for a position on an official layout. Robots and a goal that are not given are chosen at random.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compose {
    /// Four sides in the order north-west, north-east, south-east, south-west: `1A4B3B2B`.
    pub layout: String,
    /// Cells of the robots.
    #[serde(default)]
    pub robots: Option<Vec<Place>>,
    /// Who has to arrive where.
    #[serde(default)]
    pub goal: Option<GoalView>,
    /// Variants of the rules.
    #[serde(default)]
    pub rules: RulesView,
    /// The seed for what is chosen at random. Default: 0.
    #[serde(default)]
    pub seed: u64,
}

impl Question for Compose {
    type Answer = View;

    fn answer(&self, _: &mut Call<'_>) -> Result<View, Error> {
        let layout: Layout = self.layout.parse()?;
        if self.robots.as_ref().is_some_and(|list| list.len() > 64) {
            return Err(Error::bad("more than 64 robots"));
        }
        let mut setup: Setup = Recipe::layout(layout).puzzle(self.seed, 0)?.to_setup();
        if let Some(robots) = &self.robots {
            setup.robots = robots.iter().copied().map(cell).collect();
        }
        if let Some(goal) = self.goal {
            setup.active = goal.robot.map(|robot| robot.0.index());
            setup.target = cell(goal.cell);
        }
        setup.rules = Rules {
            must_ricochet: self.rules.must_ricochet,
        };
        Ok(View::of(&setup))
    }
}
