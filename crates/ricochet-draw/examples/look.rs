//! Prints the look of boards as JSON; see `ricochet_draw::look`.

fn main() {
    print!("{}", ricochet_draw::look::json());
}
