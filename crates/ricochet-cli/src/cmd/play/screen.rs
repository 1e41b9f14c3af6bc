//! The terminal as a screen: keys in, boards out. The one place beside `output.rs` that writes to
//! the terminal, since it moves the cursor.

use std::io::{self, Write};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, queue, terminal};
use ricochet::{Direction, Robot};

use super::game::Wish;

/// The whole terminal, as long as the value lives: what was there before comes back afterwards.
pub(super) struct Screen {
    stdout: io::Stdout,
}

impl Screen {
    pub(super) fn open() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let mut screen = Self {
            stdout: io::stdout(),
        };
        execute!(screen.stdout, terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Shows lines, and nothing else.
    pub(super) fn show(&self, text: &str) -> io::Result<()> {
        let mut stdout = self.stdout.lock();
        queue!(
            stdout,
            terminal::Clear(terminal::ClearType::All),
            cursor::MoveTo(0, 0)
        )?;
        let rows = terminal::size().map_or(usize::MAX, |(_, rows)| usize::from(rows));
        for line in text.lines().take(rows) {
            // In raw mode a line break does not lead back to the first column.
            write!(stdout, "{line}\r\n")?;
        }
        stdout.flush()
    }

    /// Waits for a key that means something.
    pub(super) fn wish() -> io::Result<Wish> {
        loop {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(wish) = wish_of(key) {
                        return Ok(wish);
                    }
                }
                // Another size: shown again by doing nothing.
                Event::Resize(..) => return Ok(Wish::Help),
                _ => {}
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(self.stdout, cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// What a key means: the keys of Fogleman's slides, and a few more.
fn wish_of(key: KeyEvent) -> Option<Wish> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Wish::Quit);
    }
    Some(match key.code {
        KeyCode::Up => Wish::Go(Direction::North),
        KeyCode::Right => Wish::Go(Direction::East),
        KeyCode::Down => Wish::Go(Direction::South),
        KeyCode::Left => Wish::Go(Direction::West),
        KeyCode::Backspace | KeyCode::Char('u') => Wish::Undo,
        KeyCode::Char('U') => Wish::Redo,
        KeyCode::Char('0') | KeyCode::Home => Wish::Reset,
        KeyCode::Char('n' | 'N') => Wish::New,
        KeyCode::Char('s' | 'S') => Wish::Solve,
        KeyCode::Char('h' | 'H') => Wish::Hint,
        KeyCode::Char('?') => Wish::Help,
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => Wish::Quit,
        KeyCode::Char(letter) => Wish::Select(Robot::from_letter(letter.to_ascii_uppercase())?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_the_slides() {
        let key = |code| wish_of(KeyEvent::new(code, KeyModifiers::NONE));
        for (letter, robot) in "rgby".chars().zip(Robot::ALL) {
            assert_eq!(key(KeyCode::Char(letter)), Some(Wish::Select(robot)));
        }
        assert_eq!(key(KeyCode::Char('n')), Some(Wish::New));
        assert_eq!(key(KeyCode::Char('u')), Some(Wish::Undo));
        assert_eq!(key(KeyCode::Char('s')), Some(Wish::Solve));
        assert_eq!(key(KeyCode::Left), Some(Wish::Go(Direction::West)));
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(wish_of(interrupt), Some(Wish::Quit));
    }
}
