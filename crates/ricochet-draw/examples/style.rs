//! Prints the style of boards as JSON; see `ricochet_draw::style_json`.

fn main() {
    print!("{}", ricochet_draw::style_json());
}
