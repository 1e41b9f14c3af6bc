//! The tablebase file, version 1.
//!
//! All numbers are little-endian. Checksums are CRC-32 (as in zip and PNG).
//!
//! | part | contents |
//! |---|---|
//! | magic | the eight bytes `RICOTB` 0D 0A |
//! | head | u32 its length in bytes, then: u16 version (1); u8 width, height, robots, robot that has to arrive (255: any), target's x, target's y, planes, 0; u32 configurations; u32 configurations a block; one u8 wall mask a cell, row by row (N=1, E=2, S=4, W=8); u16 number of diagonals, then x, y, lean (0 `/`, 1 `\`) and robot of each; u16 number of distances, then u64 states at each; u64 unsolvable states |
//! | head's checksum | u32 over all of the head but its length |
//! | index | for each block: u64 offset in the file, u32 length, u32 checksum of the block's bytes as stored |
//! | index's checksum | u32 |
//! | blocks | one after the other up to the end of the file |
//!
//! A block is raw deflate of its configurations' planes: first plane 0 of all its configurations,
//! then plane 1, and so on, each plane of a configuration as 32 bytes, xor the same plane of the
//! configuration before it (neighbours differ in one helper's cell, so most of that is zero). Bit
//! `64·(y mod 4) + 16·(y div 4) + x` of a plane is the lead's cell, and the bits of all planes
//! together are `distance + 1`, or 0 if there is no solution. How configurations are numbered says
//! [`Space`]; the order of robots and cells follows from the board and goal.
//!
//! Files are written with [`AtomicFile`].

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use ricochet_core::{Board, Cell, Diagonal, Goal, Lean, Puzzle, Robot};

use super::distances::{Distances, distance_in};
use super::{Histogram, Space, Tablebase, TablebaseError};
use crate::atomic_file::{AtomicFile, WriteError};
use crate::lowlevel::set256::Set256;

const MAGIC: &[u8; 8] = b"RICOTB\r\n";
const VERSION: u16 = 1;

/// Configurations a block: large enough to compress well, small enough to unpack in some ten
/// microseconds. A probe asks for up to 17 states, most of them in blocks of their own.
const BLOCK: usize = 64;

/// Bytes of an index entry.
const ENTRY: usize = 16;

/// Unpacked blocks that are kept: 16,384 of 10 KiB.
const CACHED_BLOCKS: usize = 16_384;

/// An open file.
#[derive(Debug)]
pub(crate) struct TableFile {
    path: PathBuf,
    planes: usize,
    block: usize,
    /// Of `block`: multiplying is faster than dividing.
    reciprocal: u64,
    index: Vec<BlockEntry>,
    state: Mutex<OpenState>,
}

#[derive(Clone, Copy, Debug)]
struct BlockEntry {
    offset: u64,
    length: u32,
    checksum: u32,
}

#[derive(Debug)]
struct OpenState {
    file: File,
    /// Blocks that are unpacked, by number.
    cache: Vec<Option<Box<[Set256]>>>,
    /// Blocks in the order in which they were unpacked: the oldest goes first.
    order: VecDeque<usize>,
}

impl Tablebase {
    /// Writes the tablebase to a file, as an [`AtomicFile`].
    ///
    /// # Errors
    /// If the file cannot be written, its name belongs to a directory, a device or a pipe, or this
    /// tablebase is not in memory.
    pub fn write(&self, path: &Path, threads: usize) -> Result<(), TablebaseError> {
        let Some(distances) = self.distances() else {
            return Err(TablebaseError::Unsupported {
                what: "writing a table that is not in memory",
            });
        };
        write_to(path, self, distances, threads.max(1))
            .map_err(|error| TablebaseError::io(path, "write", WriteError::reason(error)))
    }

    /// Opens a file and checks its head and index; blocks are checked when they are read.
    ///
    /// # Errors
    /// If the file cannot be read, is of another version, or is damaged or cut short.
    ///
    /// ```
    /// # use ricochet_core::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, NullObserver};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut NullObserver)?;
    /// use ricochet_solve::tablebase::Tablebase;
    /// let path = std::env::temp_dir().join(format!("open-{}.tb", std::process::id()));
    /// table.write(&path, 1)?;
    /// let opened = Tablebase::open(&path)?;
    /// assert_eq!(opened.distance(&puzzle.start())?, Some(3));
    /// std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path) -> Result<Self, TablebaseError> {
        let mut file = File::open(path).map_err(|error| TablebaseError::io(path, "open", error))?;
        let size = file
            .metadata()
            .map_err(|error| TablebaseError::io(path, "read", error))?
            .len();
        let mut reader = Reader {
            path,
            file: &mut file,
            left: size,
        };
        if reader.bytes(8)? != MAGIC {
            return Err(TablebaseError::damaged(
                path,
                "it does not begin with the mark of a tablebase",
            ));
        }
        let head_length = u64::from(reader.u32()?);
        // The head of the largest board with all its cells diagonal is under 20 kB.
        if head_length > 1 << 20 {
            return Err(TablebaseError::damaged(path, "its head is too long"));
        }
        let head = reader.bytes(head_length as usize)?;
        if reader.u32()? != crc32fast::hash(&head) {
            return Err(TablebaseError::damaged(
                path,
                "the checksum of its head is wrong",
            ));
        }
        let head = Header::parse(path, &head)?;
        let blocks = head.space.configurations().div_ceil(head.block);
        if blocks as u64 * ENTRY as u64 > reader.left {
            return Err(TablebaseError::damaged(
                path,
                "it is cut short in its index",
            ));
        }
        let bytes = reader.bytes(blocks * ENTRY)?;
        if reader.u32()? != crc32fast::hash(&bytes) {
            return Err(TablebaseError::damaged(
                path,
                "the checksum of its index is wrong",
            ));
        }
        let mut expected = size - reader.left;
        let mut index = Vec::with_capacity(blocks);
        for entry in bytes.chunks_exact(ENTRY) {
            let entry = BlockEntry {
                offset: u64::from_le_bytes(entry[..8].try_into().expect("eight bytes")),
                length: u32::from_le_bytes(entry[8..12].try_into().expect("four bytes")),
                checksum: u32::from_le_bytes(entry[12..].try_into().expect("four bytes")),
            };
            if entry.offset != expected {
                return Err(TablebaseError::damaged(path, "its index has a gap"));
            }
            expected += u64::from(entry.length);
            index.push(entry);
        }
        if expected != size {
            return Err(TablebaseError::damaged(
                path,
                format!("it should have {expected} bytes, but has {size}"),
            ));
        }
        let table = TableFile {
            path: path.to_owned(),
            planes: head.planes,
            block: head.block,
            reciprocal: reciprocal(head.block),
            index,
            state: Mutex::new(OpenState {
                file,
                cache: vec![None; blocks],
                order: VecDeque::new(),
            }),
        };
        Ok(Self::in_file(head.space, head.histogram, table))
    }
}

/// An open file with exclusive access to its position.
#[derive(Debug)]
pub(crate) struct FileReader<'a> {
    file: &'a TableFile,
    state: MutexGuard<'a, OpenState>,
}

impl FileReader<'_> {
    pub(crate) fn distance(
        &mut self,
        configuration: usize,
        bit: usize,
    ) -> Result<Option<u32>, TablebaseError> {
        Ok(distance_in(self.planes(configuration as u32)?, bit))
    }

    /// The planes of a configuration.
    #[inline(always)]
    pub(crate) fn planes(&mut self, configuration: u32) -> Result<&[Set256], TablebaseError> {
        let TableFile { planes, .. } = *self.file;
        let (number, at) = self.file.block_of(configuration);
        if self.state.cache[number].is_none() {
            self.file.fetch(&mut self.state, number)?;
        }
        let sets = self.state.cache[number].as_deref();
        Ok(&sets.expect("just fetched")[at * planes..][..planes])
    }
}

impl TableFile {
    /// The block of a configuration, and its place there.
    #[inline(always)]
    fn block_of(&self, configuration: u32) -> (usize, usize) {
        let number = quotient(configuration, self.reciprocal);
        let at = configuration.wrapping_sub(number.wrapping_mul(self.block as u32));
        (number as usize, at as usize)
    }

    /// Keeps others from reading for as long as the answer lives.
    pub(crate) fn reader(&self) -> FileReader<'_> {
        FileReader {
            file: self,
            state: self.state.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Bytes of the blocks that are unpacked, and of the index.
    pub(crate) fn cached_bytes(&self) -> u64 {
        let block = self.block * self.planes * size_of::<Set256>();
        let entry = size_of::<BlockEntry>() + size_of::<Option<Box<[Set256]>>>();
        (self.reader().state.order.len() * block + self.index.len() * entry) as u64
    }

    /// Unpacks a block into the cache; the oldest there makes room for it.
    fn fetch(&self, state: &mut OpenState, number: usize) -> Result<(), TablebaseError> {
        let sets = self.unpack(&mut state.file, number)?;
        if state.order.len() >= CACHED_BLOCKS
            && let Some(oldest) = state.order.pop_front()
        {
            state.cache[oldest] = None;
        }
        state.order.push_back(number);
        state.cache[number] = Some(sets.into());
        Ok(())
    }

    /// Reads, checks and unpacks a block; the last one may stand for fewer configurations, the
    /// rest of it is empty.
    fn unpack(&self, file: &mut File, number: usize) -> Result<Vec<Set256>, TablebaseError> {
        let entry = self.index[number];
        let mut packed = vec![0; entry.length as usize];
        file.seek(SeekFrom::Start(entry.offset))
            .and_then(|_| file.read_exact(&mut packed))
            .map_err(|error| TablebaseError::io(&self.path, "read", error))?;
        let bad =
            |what: &str| TablebaseError::damaged(&self.path, format!("block {number}: {what}"));
        if crc32fast::hash(&packed) != entry.checksum {
            return Err(bad("the checksum is wrong"));
        }
        let mut bytes = Vec::new();
        let size = self.block * self.planes * 32;
        DeflateDecoder::new(&packed[..])
            .take(size as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| bad("cannot be unpacked"))?;
        if bytes.len() > size || bytes.len() % (32 * self.planes) != 0 {
            return Err(bad("has a wrong size"));
        }
        let configurations = bytes.len() / 32 / self.planes;
        let mut sets = vec![Set256::EMPTY; self.block * self.planes];
        for plane in 0..self.planes {
            let mut last = Set256::EMPTY;
            for i in 0..configurations {
                let at = (plane * configurations + i) * 32;
                last = last ^ Set256::from_bytes(&bytes[at..at + 32]);
                sets[i * self.planes + plane] = last;
            }
        }
        Ok(sets)
    }

    /// Unpacks everything.
    pub(crate) fn read_all(self, configurations: usize) -> Result<Distances, TablebaseError> {
        let mut distances = Distances::with_planes(configurations, self.planes);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for number in 0..self.index.len() {
            let sets = self.unpack(&mut state.file, number)?;
            let first = number * self.block;
            let last = configurations.min(first + self.block);
            for (i, configuration) in (first..last).enumerate() {
                distances
                    .of_mut(configuration)
                    .copy_from_slice(&sets[i * self.planes..][..self.planes]);
            }
        }
        Ok(distances)
    }
}

/// 2^48 divided by a number up to 2^16, rounded up.
fn reciprocal(divisor: usize) -> u64 {
    (1u64 << 48).div_ceil(divisor as u64)
}

/// A number divided by another one, whose reciprocal this is. That is too large by less than 1, so
/// the product is too large by less than 2^32 / 2^48 wholes. Below the next whole number is at least
/// one part of the divisor, which is not less.
#[inline(always)]
fn quotient(number: u32, reciprocal: u64) -> u32 {
    ((u128::from(reciprocal) * u128::from(number)) >> 48) as u32
}

fn write_to(
    path: &Path,
    table: &Tablebase,
    distances: &Distances,
    threads: usize,
) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    let head = Header::bytes(table, distances.planes());
    let blocks = table.space().configurations().div_ceil(BLOCK);
    let mut prefix = MAGIC.to_vec();
    prefix.extend_from_slice(&(head.len() as u32).to_le_bytes());
    prefix.extend_from_slice(&head);
    prefix.extend_from_slice(&crc32fast::hash(&head).to_le_bytes());
    file.write_all(&prefix)?;
    // The index comes before the blocks, but is known after them.
    let mut index = vec![0; blocks * ENTRY];
    file.write_all(&index)?;
    file.write_all(&[0; 4])?;
    let mut offset = (prefix.len() + index.len() + 4) as u64;
    // A few blocks for each thread at a time.
    let batch = threads * 16;
    for first in (0..blocks).step_by(batch) {
        let numbers: Vec<usize> = (first..blocks.min(first + batch)).collect();
        for (&number, packed) in numbers.iter().zip(pack_all(distances, &numbers, threads)) {
            file.write_all(&packed)?;
            let entry = &mut index[number * ENTRY..][..ENTRY];
            entry[..8].copy_from_slice(&offset.to_le_bytes());
            entry[8..12].copy_from_slice(&(packed.len() as u32).to_le_bytes());
            entry[12..].copy_from_slice(&crc32fast::hash(&packed).to_le_bytes());
            offset += packed.len() as u64;
        }
    }
    file.seek(SeekFrom::Start(prefix.len() as u64))?;
    file.write_all(&index)?;
    file.write_all(&crc32fast::hash(&index).to_le_bytes())?;
    file.commit()
}

/// Packs blocks, split over threads.
fn pack_all(distances: &Distances, numbers: &[usize], threads: usize) -> Vec<Vec<u8>> {
    if threads == 1 {
        return numbers.iter().map(|&n| pack(distances, n)).collect();
    }
    let share = numbers.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let workers: Vec<_> = numbers
            .chunks(share)
            .map(|chunk| {
                scope.spawn(move || -> Vec<Vec<u8>> {
                    chunk.iter().map(|&n| pack(distances, n)).collect()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("packing does not panic"))
            .collect()
    })
}

fn pack(distances: &Distances, number: usize) -> Vec<u8> {
    let first = number * BLOCK;
    let last = distances.configurations().min(first + BLOCK);
    let mut bytes = Vec::with_capacity((last - first) * distances.planes() * 32);
    for plane in 0..distances.planes() {
        let mut before = Set256::EMPTY;
        for configuration in first..last {
            let set = distances.of(configuration)[plane];
            bytes.extend_from_slice(&(set ^ before).to_bytes());
            before = set;
        }
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(&bytes)
        .and_then(|()| encoder.finish())
        .expect("a vector can always be written")
}

/// What the head of a file says.
struct Header {
    space: Space,
    histogram: Histogram,
    planes: usize,
    block: usize,
}

impl Header {
    fn bytes(table: &Tablebase, planes: usize) -> Vec<u8> {
        let space = table.space();
        let (board, goal) = (space.board(), space.goal());
        let mut head = VERSION.to_le_bytes().to_vec();
        head.extend_from_slice(&[
            board.width() as u8,
            board.height() as u8,
            space.robots() as u8,
            goal.robot.map_or(255, |robot| robot.index() as u8),
            goal.cell.x,
            goal.cell.y,
            planes as u8,
            0,
        ]);
        head.extend_from_slice(&(space.configurations() as u32).to_le_bytes());
        head.extend_from_slice(&(BLOCK as u32).to_le_bytes());
        head.extend_from_slice(board.walls());
        head.extend_from_slice(&(board.diagonals().len() as u16).to_le_bytes());
        for diagonal in board.diagonals() {
            head.extend_from_slice(&[
                diagonal.cell.x,
                diagonal.cell.y,
                u8::from(diagonal.lean == Lean::Backslash),
                diagonal.color.index() as u8,
            ]);
        }
        let histogram = table.histogram();
        head.extend_from_slice(&(histogram.counts.len() as u16).to_le_bytes());
        for count in histogram.counts.iter().chain([&histogram.unsolvable]) {
            head.extend_from_slice(&count.to_le_bytes());
        }
        head
    }

    fn parse(path: &Path, head: &[u8]) -> Result<Self, TablebaseError> {
        let mut rest = head;
        let bad = |what: &str| TablebaseError::damaged(path, format!("its head: {what}"));
        let mut take = |count: usize| -> Result<&[u8], TablebaseError> {
            let (taken, left) = rest
                .split_at_checked(count)
                .ok_or_else(|| bad("too short"))?;
            rest = left;
            Ok(taken)
        };
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let version = number(take(2)?);
        if version != u64::from(VERSION) {
            return Err(TablebaseError::damaged(
                path,
                format!("it is of version {version}; this program reads version {VERSION}"),
            ));
        }
        let &[width, height, robots, arriving, x, y, planes, _] = take(8)? else {
            return Err(bad("too short"));
        };
        let configurations = number(take(4)?);
        let block = number(take(4)?) as usize;
        let walls = take(usize::from(width) * usize::from(height))?.to_vec();
        let mut diagonals = Vec::new();
        for _ in 0..number(take(2)?) {
            let &[x, y, lean, color] = take(4)? else {
                return Err(bad("too short"));
            };
            diagonals.push(Diagonal {
                cell: Cell::new(x, y),
                lean: if lean == 0 {
                    Lean::Slash
                } else {
                    Lean::Backslash
                },
                color: Robot::new(usize::from(color)).ok_or_else(|| bad("no such robot"))?,
            });
        }
        let mut counts = Vec::new();
        for _ in 0..number(take(2)?) {
            counts.push(number(take(8)?));
        }
        let unsolvable = number(take(8)?);
        if !rest.is_empty() {
            return Err(bad("too long"));
        }
        let board = Board::from_parts(
            usize::from(width),
            usize::from(height),
            &walls,
            diagonals,
            Vec::new(),
        )
        .map_err(|_| bad("the board is not valid"))?;
        let goal = Goal {
            robot: match arriving {
                255 => None,
                index => Some(Robot::new(usize::from(index)).ok_or_else(|| bad("no such robot"))?),
            },
            cell: Cell::new(x, y),
        };
        let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
        let cells = open
            .get(..usize::from(robots))
            .ok_or_else(|| bad("too many robots"))?;
        let puzzle = Puzzle::new(board, cells, goal).map_err(|_| bad("the goal is not valid"))?;
        let space = Space::of(&puzzle)?;
        let histogram = Histogram { counts, unsolvable };
        if space.configurations() as u64 != configurations
            || !(1..=65_536).contains(&block)
            || !(1..=31).contains(&planes)
            || histogram.states() != space.states()
        {
            return Err(bad("the numbers do not fit the board"));
        }
        Ok(Self {
            space,
            histogram,
            planes: usize::from(planes),
            block,
        })
    }
}

/// Reads parts of known length, never more than the file has.
struct Reader<'a> {
    path: &'a Path,
    file: &'a mut File,
    left: u64,
}

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, TablebaseError> {
        if count as u64 > self.left {
            return Err(TablebaseError::damaged(self.path, "it is cut short"));
        }
        let mut bytes = vec![0; count];
        self.file
            .read_exact(&mut bytes)
            .map_err(|error| TablebaseError::io(self.path, "read", error))?;
        self.left -= count as u64;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, TablebaseError> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplying_by_the_reciprocal_divides() {
        for divisor in 1..=65_536u32 {
            let reciprocal = reciprocal(divisor as usize);
            let last = u32::MAX / divisor * divisor;
            for number in [0, divisor - 1, divisor, last - 1, last, u32::MAX] {
                assert_eq!(quotient(number, reciprocal), number / divisor);
            }
        }
    }
}
