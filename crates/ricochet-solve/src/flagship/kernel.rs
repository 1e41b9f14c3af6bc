//! Runs plain Rust code compiled for AVX2 where the machine has it.
//!
//! The kernels themselves are safe, portable code over arrays of words; inlined into a function
//! that may use AVX2, the compiler makes vector instructions of them. The same source is the
//! portable path, so there is one thing to test.
#![allow(unsafe_code)]

/// A piece of work that is worth compiling twice.
pub(crate) trait Kernel {
    /// What it answers.
    type Output;

    /// Does the work. To be compiled for AVX2, this and all that it calls in its inner loops has to
    /// be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs the kernel with AVX2 and the bit-counting instructions if the machine has them, and as
/// plain code otherwise.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: all features that `with_avx2` enables were found on this machine just now.
        return unsafe { with_avx2(kernel) };
    }
    kernel.run()
}

/// Whether [`dispatch`] takes the vector path.
pub(crate) fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Runs the kernel as code for AVX2 and the bit-counting instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
pub(crate) fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
