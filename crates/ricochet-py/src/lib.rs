//! The extension module `ricochet_engine._native`: the engine's types and questions for Python.
//!
//! This crate is deliberately thin. The rules are those of `ricochet-core`, the solvers those of
//! `ricochet-solve`, and every question that `ricochet-service` knows is asked through it ([`requests`]), so
//! that Python gets the answers of the command line and of the server. The package in `python/` gives
//! the answers their Python types.
//!
//! Work that may take long runs on separate threads, without the interpreter lock, while the
//! calling thread checks for Ctrl-C ([`threads`]). No thread outlives its call, so processes may fork.

#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::too_many_arguments,
    reason = "arguments and receivers have the shapes that Python's calling convention gives them"
)]

mod arguments;
mod arrays;
mod board;
mod bulk_generate;
mod bulk_solve;
mod errors;
mod moves;
mod position;
mod puzzle;
mod requests;
mod room;
mod stepper;
mod stepper_arrays;
mod tablebase;
mod threads;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<moves::Move>()?;
    module.add_class::<moves::Solution>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<tablebase::Tablebase>()?;
    module.add_class::<stepper::Stepper>()?;
    module.add_class::<room::Room>()?;
    module.add_class::<bulk_solve::CancelToken>()?;
    module.add_function(wrap_pyfunction!(puzzle::read, module)?)?;
    module.add_function(wrap_pyfunction!(requests::ask, module)?)?;
    module.add_function(wrap_pyfunction!(requests::ask_many, module)?)?;
    module.add_function(wrap_pyfunction!(bulk_generate::generate, module)?)?;
    module.add_function(wrap_pyfunction!(bulk_solve::solve_many, module)?)?;
    module.add_function(wrap_pyfunction!(bulk_solve::search, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::encode, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::decode, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::planes, module)?)?;
    Ok(())
}
