//! Instruction sets as values.
//!
//! A value of an [`InstructionSet`] proves that this processor has it: the only way to get one is
//! to ask ([`Avx2::new`]), and vectors are made only from such a value. So all code that uses them
//! is safe.
//!
//! A [`Kernel`] is plain Rust. When it is inlined into a function that may use more instructions,
//! the compiler turns it into vector instructions; the same source is the portable path.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2Set;
use super::portable::PortableSet;
use super::set::Set;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128::Simd128Set;

/// A piece of work that is worth compiling once for each instruction set.
pub(crate) trait Kernel {
    /// The result.
    type Output;

    /// Does the work. This function and everything it calls in its inner loops must be
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Proof that the processor has some instructions.
pub(crate) trait InstructionSet: Copy + Send + Sync {
    /// Sets of cells in its registers.
    type Set: Set<Isa = Self>;

    /// A set from four words, lowest cells first.
    fn load(self, words: &[u64; 4]) -> Self::Set;

    /// Runs a piece of work as code for these instructions. Code that works on sets should run
    /// inside one.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// The instructions that every processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portable;

impl InstructionSet for Portable {
    type Set = PortableSet;

    #[inline(always)]
    fn load(self, words: &[u64; 4]) -> PortableSet {
        PortableSet::new(words)
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }
}

/// Defines an instruction set that has to be detected, from the list of its features.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($(#[$documentation:meta])* $name:ident, $set:ident, $detected:ident: $($feature:tt)*) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $name(());

        impl $name {
            /// The proof, if this processor has all of these features.
            #[inline]
            pub(crate) fn new() -> Option<Self> {
                ($(std::arch::$detected!($feature))&&*).then_some(Self(()))
            }

            /// A vector proves it as well.
            #[inline(always)]
            pub(super) fn of(_: $set) -> Self {
                Self(())
            }
        }

        impl InstructionSet for $name {
            type Set = $set;

            #[inline(always)]
            fn load(self, words: &[u64; 4]) -> $set {
                $set::new(self, words)
            }

            #[inline(always)]
            fn run<K: Kernel>(self, kernel: K) -> K::Output {
                $(#[target_feature(enable = $feature)])*
                #[inline(never)]
                fn compiled<K: Kernel>(kernel: K) -> K::Output {
                    kernel.run()
                }
                // SAFETY: `self` exists only if all of these features were detected, or if a vector
                // exists, which was made from such a value.
                unsafe { compiled(kernel) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
detected! {
    /// AVX2 and the bit-counting instructions.
    Avx2, Avx2Set, is_x86_feature_detected: "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

/// WebAssembly's vectors. They are enabled at compile time, and an engine without them refuses to
/// run the file.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Simd128;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl InstructionSet for Simd128 {
    type Set = Simd128Set;

    #[inline(always)]
    fn load(self, words: &[u64; 4]) -> Simd128Set {
        Simd128Set::new(words)
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }
}

/// Which instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// Those of every processor.
    Portable(Portable),
    /// Those of processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Those of WebAssembly with vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

impl Instructions {
    /// The best instructions that this processor has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::new() {
            return Self::Avx2(avx2);
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Self::Simd128(Simd128);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Self::Portable(Portable)
    }
}

/// Runs a piece of work as code for the best instructions of this processor.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match Instructions::detect() {
        Instructions::Portable(portable) => portable.run(kernel),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(avx2) => avx2.run(kernel),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Simd128(simd128) => simd128.run(kernel),
    }
}
