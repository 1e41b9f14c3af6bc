//! The terminal as a screen: keys in, boards out. Apart from `output.rs`, only this file writes to the
//! terminal, since it moves the cursor.

use std::io::{self, Write};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, queue, terminal};
use ricochet_core::{Direction, Robot};

use super::game::Action;

/// How often the clock is drawn.
const SECOND: Duration = Duration::from_secs(1);

/// The whole terminal, as long as the value lives: what was there before comes back afterwards.
pub(super) struct Screen {
    stdout: io::Stdout,
}

/// What happened at the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Action(Action),
    /// Ctrl-C.
    Interrupt,
    /// The size of the terminal has changed, or a second has passed.
    Redraw,
}

impl Screen {
    pub(super) fn open() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let mut screen = Self {
            stdout: io::stdout(),
        };
        // Long lines are cut off: wrapping would push the board off the screen.
        execute!(
            screen.stdout,
            terminal::EnterAlternateScreen,
            terminal::DisableLineWrap,
            cursor::Hide
        )?;
        Ok(screen)
    }

    /// Columns and rows.
    pub(super) fn size() -> (usize, usize) {
        let (columns, rows) = terminal::size().unwrap_or((80, 24));
        (usize::from(columns), usize::from(rows))
    }

    /// Shows lines, and nothing else.
    pub(super) fn show(&self, text: &str) -> io::Result<()> {
        let mut stdout = self.stdout.lock();
        let (_, rows) = Self::size();
        // Line by line, and in one piece, so that the clock does not make the board flicker.
        let mut screen = Vec::new();
        let mut lines = text.lines();
        for row in 0..rows {
            queue!(
                screen,
                cursor::MoveTo(0, u16::try_from(row).unwrap_or(u16::MAX)),
                terminal::Clear(terminal::ClearType::CurrentLine)
            )?;
            screen.extend_from_slice(lines.next().unwrap_or_default().as_bytes());
        }
        stdout.write_all(&screen)?;
        stdout.flush()
    }

    /// Replaces the last row.
    pub(super) fn show_status(&self, text: &str) -> io::Result<()> {
        let mut stdout = self.stdout.lock();
        let last = u16::try_from(Self::size().1.saturating_sub(1)).unwrap_or(u16::MAX);
        queue!(
            stdout,
            cursor::MoveTo(0, last),
            terminal::Clear(terminal::ClearType::CurrentLine)
        )?;
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Waits for a key with a meaning, a change of size, or the next second.
    pub(super) fn input() -> io::Result<Input> {
        loop {
            if !event::poll(SECOND)? {
                return Ok(Input::Redraw);
            }
            if let Some(input) = input_of(&event::read()?) {
                return Ok(input);
            }
        }
    }

    /// Whether the player stops a search within this time: Esc, Q or Ctrl-C. Other keys are ignored.
    pub(super) fn is_stopped_within(time: Duration) -> io::Result<bool> {
        Ok(event::poll(time)?
            && matches!(
                input_of(&event::read()?),
                Some(Input::Interrupt | Input::Action(Action::Quit))
            ))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(
            self.stdout,
            cursor::Show,
            terminal::EnableLineWrap,
            terminal::LeaveAlternateScreen
        );
        let _ = terminal::disable_raw_mode();
    }
}

fn input_of(event: &Event) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key),
        Event::Resize(..) => Some(Input::Redraw),
        _ => None,
    }
}

/// What a key means: the keys of Fogleman's slides, and a few more.
fn of_key(key: KeyEvent) -> Option<Input> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Input::Interrupt),
            KeyCode::Char('d') => Some(Input::Action(Action::Quit)),
            _ => None,
        };
    }
    Some(Input::Action(match key.code {
        KeyCode::Up => Action::Go(Direction::North),
        KeyCode::Right => Action::Go(Direction::East),
        KeyCode::Down => Action::Go(Direction::South),
        KeyCode::Left => Action::Go(Direction::West),
        KeyCode::Backspace | KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('U') => Action::Redo,
        KeyCode::Char('0') | KeyCode::Home => Action::Reset,
        KeyCode::Char('t' | 'T') => Action::Next,
        KeyCode::Char('n' | 'N') => Action::New,
        KeyCode::Char('s' | 'S') => Action::Solve,
        KeyCode::Char('h' | 'H') => Action::Hint,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Enter => Action::Step,
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => Action::Quit,
        KeyCode::Char(letter) => Robot::from_letter(letter.to_ascii_uppercase())
            .map_or(Action::Unknown(letter), Action::Select),
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_the_slides() {
        let key = |code| match of_key(KeyEvent::new(code, KeyModifiers::NONE)) {
            Some(Input::Action(action)) => action,
            other => panic!("{other:?}"),
        };
        for (letter, robot) in "rgby".chars().zip(Robot::ALL) {
            assert_eq!(key(KeyCode::Char(letter)), Action::Select(robot));
        }
        assert_eq!(key(KeyCode::Char('n')), Action::New);
        assert_eq!(key(KeyCode::Char('t')), Action::Next);
        assert_eq!(key(KeyCode::Char('u')), Action::Undo);
        assert_eq!(key(KeyCode::Char('s')), Action::Solve);
        assert_eq!(key(KeyCode::Char('x')), Action::Unknown('x'));
        assert_eq!(key(KeyCode::Left), Action::Go(Direction::West));
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(of_key(interrupt), Some(Input::Interrupt));
        assert_eq!(input_of(&Event::Resize(80, 24)), Some(Input::Redraw));
    }
}
