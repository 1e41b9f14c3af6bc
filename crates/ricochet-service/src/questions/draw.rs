//! `draw`: a picture.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ricochet_core::{Puzzle, Trace};
use ricochet_draw::{CELL_SIZES, LinkPreview, Paper, Picture, Theme};
#[cfg(feature = "pdf")]
use ricochet_draw::{Sheet, SheetPuzzle};
use ricochet_solve::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Code;
use crate::error::{Error, ErrorKind};
use crate::json::{MoveList, names_or_null, quote};
use crate::policy::{Policy, RequestLimits};
use crate::puzzle_input::PuzzleInput;
use crate::questions::overlay::{MAX_DEGREE, OverlayKind, degree, title, values};
use crate::request::Question;

/// Pictures of more moves would be unreadable.
const MAX_MOVES: usize = 200;

/// Asks for a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The kind of picture. Default: `svg`.
    #[serde(default)]
    pub kind: PictureKind,
    /// The colour theme. Default: `light`.
    #[serde(default)]
    #[schemars(extend("enum" = names_or_null(Theme::NAMES)))]
    pub theme: Option<String>,
    /// The side of a cell in pixels. Default: 40.
    #[serde(default)]
    #[schemars(range(min = *CELL_SIZES.start(), max = Policy::default().cell_pixels))]
    pub cell: Option<u32>,
    /// Show the numbers of columns and rows.
    #[serde(default)]
    pub coordinates: bool,
    /// Show a shortest solution.
    #[serde(default)]
    pub solution: bool,
    /// Show these moves, which need not solve the puzzle.
    #[serde(default)]
    pub moves: Option<MoveList>,
    /// Show a number on each cell.
    #[serde(default)]
    pub overlay: Option<OverlayKind>,
    /// The highest degree of an overlay's critical paths. Default: 3.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_DEGREE))]
    pub degree: Option<u32>,
    /// A line of text below the board.
    #[serde(default)]
    pub caption: Option<String>,
    /// Make a page to print on this paper, `a4` or `letter`, with the solution on a separate page. Only
    /// for `pdf`.
    #[serde(default)]
    #[schemars(extend("enum" = names_or_null(Paper::NAMES)))]
    pub paper: Option<String>,
    /// Make the picture of 1200 by 630 pixels that other sites show for a link: the board with the goal
    /// in words. Only for `svg` and `png`; of the other options it takes only `theme`.
    #[serde(default)]
    pub preview: bool,
    /// The limits of the search for a solution.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// The kinds of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PictureKind {
    /// A vector image for the web.
    #[default]
    Svg,
    /// A raster image.
    Png,
    /// An animation of the moves.
    Gif,
    /// A vector image for printing.
    Pdf,
}

impl PictureKind {
    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Pdf => "application/pdf",
        }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DrawAnswer {
    /// Its media type, such as `image/svg+xml`.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// The picture as text, for SVG.
    pub text: Option<String>,
    /// The picture in Base64, for all other kinds.
    pub base64: Option<String>,
    /// Whether it shows everything requested; a limit may end the search for a solution.
    pub complete: bool,
}

impl DrawAnswer {
    fn of(kind: PictureKind, bytes: Vec<u8>, complete: bool) -> Self {
        let media_type = kind.media_type();
        match String::from_utf8(bytes) {
            Ok(text) if kind == PictureKind::Svg => Self {
                media_type,
                text: Some(text),
                base64: None,
                complete,
            },
            Ok(text) => Self::encoded(media_type, text.as_bytes(), complete),
            Err(error) => Self::encoded(media_type, error.as_bytes(), complete),
        }
    }

    fn encoded(media_type: &'static str, bytes: &[u8], complete: bool) -> Self {
        Self {
            media_type,
            text: None,
            base64: Some(STANDARD.encode(bytes)),
            complete,
        }
    }

    /// The bytes of the picture.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match (&self.text, &self.base64) {
            (Some(text), _) => Some(text.as_bytes().to_vec()),
            (None, Some(base64)) => STANDARD.decode(base64).ok(),
            (None, None) => None,
        }
    }
}

impl Draw {
    /// The moves to show: the given ones, or a shortest solution.
    fn trace(&self, puzzle: &Puzzle, call: &mut Call<'_>) -> Result<(Option<Trace>, bool), Error> {
        let drawable = |moves: usize| match moves {
            0..=MAX_MOVES => Ok(()),
            _ => Err(Error::bad_request(format!(
                "cannot draw {moves} moves: the limit is {MAX_MOVES}"
            ))),
        };
        if let Some(moves) = &self.moves {
            drawable(moves.0.len())?;
            let trace = Trace::play(puzzle, &moves.0);
            let trace = trace.map_err(|error| Error::bad_request(error.to_string()))?;
            return Ok((Some(trace), true));
        }
        if !self.solution && self.kind != PictureKind::Gif {
            return Ok((None, true));
        }
        let search = call.solve_by_default(puzzle, &self.limits)?;
        drawable(search.trace.as_ref().map_or(0, |it| it.steps.len()))?;
        let complete = !matches!(search.outcome, Outcome::LimitReached { .. });
        Ok((search.trace, complete))
    }
}

impl Draw {
    fn paper(&self) -> Result<Option<Paper>, Error> {
        let Some(name) = &self.paper else {
            return Ok(None);
        };
        if self.kind != PictureKind::Pdf {
            return Err(Error::bad_request("paper can be given only for pdf"));
        }
        let paper = Paper::from_name(name).ok_or_else(|| {
            Error::bad_request(format!(
                "there is no paper {}: expected {}",
                quote(name),
                Paper::NAMES.join(" or ")
            ))
        })?;
        Ok(Some(paper))
    }

    /// The puzzle alone on a page, and its solution on the next.
    #[cfg(feature = "pdf")]
    fn page(&self, paper: Paper, puzzle: &Puzzle, trace: Option<&Trace>) -> Vec<u8> {
        let mut entry = SheetPuzzle::new(puzzle);
        if let Some(caption) = &self.caption {
            entry = entry.caption(caption.chars().take(200).collect::<String>());
        }
        if let Some(trace) = trace {
            entry = entry.solution(trace);
        }
        let sheet = Sheet::new("Ricochet Robots").paper(paper).per_page(1);
        let mut sheet = sheet.coordinates(self.coordinates);
        sheet.add(entry);
        sheet.pages().pdf()
    }
}

impl Draw {
    /// The picture for links.
    fn link_preview(&self, puzzle: &Puzzle, theme: Theme) -> Result<DrawAnswer, Error> {
        let plain = Self {
            puzzle: self.puzzle.clone(),
            kind: self.kind,
            theme: self.theme.clone(),
            limits: self.limits,
            preview: true,
            ..Self::default()
        };
        if *self != plain {
            return Err(Error::bad_request(
                "preview can be combined only with kind and theme",
            ));
        }
        let preview = LinkPreview::new(puzzle).theme(theme);
        let bytes = match self.kind {
            PictureKind::Svg => preview.svg().into_bytes(),
            #[cfg(feature = "raster")]
            PictureKind::Png => preview.png().map_err(|error| cannot_draw(&error))?,
            _ => return Err(Error::bad_request("preview can be svg or png")),
        };
        Ok(DrawAnswer::of(self.kind, bytes, true))
    }
}

fn bytes(picture: &Picture<'_>, kind: PictureKind) -> Result<Vec<u8>, Error> {
    match kind {
        PictureKind::Svg => Ok(picture.svg().into_bytes()),
        #[cfg(feature = "raster")]
        PictureKind::Png => picture.png().map_err(|error| cannot_draw(&error)),
        #[cfg(feature = "raster")]
        PictureKind::Gif => picture.gif().map_err(|error| cannot_draw(&error)),
        #[cfg(feature = "pdf")]
        PictureKind::Pdf => Ok(picture.pdf()),
        #[allow(unreachable_patterns, reason = "all kinds may be enabled")]
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("this build cannot draw {}", other.media_type()),
        )
        .with_code(Code::new("no-such-picture").with("type", other.media_type()))),
    }
}

#[cfg(feature = "raster")]
fn cannot_draw(error: &ricochet_draw::RasterError) -> Error {
    use ricochet_draw::RasterError;
    let unsupported = Error::new(ErrorKind::Unsupported, error.to_string());
    match error {
        RasterError::Encoding(_) => Error::new(ErrorKind::Internal, error.to_string()),
        RasterError::NoSolution => unsupported.with_code(Code::new("nothing-to-animate")),
        RasterError::TooLarge { width, height } => unsupported.with_code(
            Code::new("picture-too-large")
                .with("width", *width)
                .with("height", *height),
        ),
    }
}

impl Question for Draw {
    type Answer = DrawAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &DrawAnswer) -> bool {
        answer.complete
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<DrawAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let theme = self.theme.as_deref().unwrap_or("light");
        let theme = Theme::from_name(theme).ok_or_else(|| {
            Error::malformed(format!(
                "there is no theme {}: expected {}",
                quote(theme),
                Theme::NAMES.join(", ")
            ))
        })?;
        if self.preview {
            return self.link_preview(&puzzle, theme);
        }
        let cell = self.cell.unwrap_or(40);
        let largest = call.policy().cell_pixels.min(*CELL_SIZES.end());
        if !(*CELL_SIZES.start()..=largest).contains(&cell) {
            return Err(Error::bad_request(format!(
                "cell is {cell}, expected {} to {largest} pixels",
                CELL_SIZES.start()
            )));
        }
        // Without the feature, `bytes` reports the error.
        #[cfg_attr(not(feature = "pdf"), expect(unused_variables))]
        let paper = self.paper()?;
        let degree = degree(self.degree)?;
        let (trace, complete) = self.trace(&puzzle, call)?;
        #[cfg(feature = "pdf")]
        if let Some(paper) = paper {
            let page = self.page(paper, &puzzle, trace.as_ref());
            return Ok(DrawAnswer::of(self.kind, page, complete));
        }
        let overlay = self.overlay.map(|kind| {
            let values = values(&puzzle, kind.into(), degree);
            ricochet_draw::Overlay::from_values(title(kind.into()), values)
        });
        let mut picture = Picture::new(&puzzle)
            .theme(theme)
            .cell_size(cell)
            .coordinates(self.coordinates);
        if let Some(caption) = &self.caption {
            if !cfg!(feature = "font") {
                let why = "this build cannot draw captions";
                return Err(Error::new(ErrorKind::Unsupported, why));
            }
            picture = picture.caption(caption.chars().take(200).collect::<String>());
        }
        if let Some(trace) = &trace {
            picture = picture.solution(trace);
        }
        if let Some(overlay) = &overlay {
            picture = picture.overlay(overlay);
        }
        Ok(DrawAnswer::of(
            self.kind,
            bytes(&picture, self.kind)?,
            complete,
        ))
    }
}
