//! The board as a graph (thesis, 'Construct Graph' and 'Adapting The Graph'): a vertex for each
//! field, and for each direction in which a robot can leave it an edge to the field where it stops.
//! The graph is built once and then adapted to robots that come and go, each in O(n) time.

use ricochet_core::{Board, Direction};

/// No edge in this direction.
const NIL: u16 = u16::MAX;

/// `G`: the edges of every vertex by direction. Vertices are numbered as [`Board::index`] does.
///
/// The edges always are what they would be if the graph had been built with the placed robots as
/// obstacles. This holds for the vertices on which robots stand as well, so that a robot's own
/// moves can be read off its vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graph {
    edges: Vec<[u16; 4]>,
    /// `F`: the walls of each field, N=1, E=2, S=4, W=8.
    walls: Vec<u8>,
    width: u16,
}

impl Graph {
    /// BUILD-GRAPH: two passes with dynamic programming. The first goes top-down, left to right and
    /// adds the edges to the north and west; the second goes bottom-up, right to left and adds those
    /// to the south and east.
    pub(super) fn new(board: &Board) -> Self {
        let mut graph = Self {
            edges: vec![[NIL; 4]; board.cell_count()],
            walls: board.walls().to_vec(),
            width: board.width() as u16,
        };
        let last = board.cell_count() as u16 - 1;
        for vertex in 0..=last {
            graph.add_edges(vertex, [Direction::West, Direction::North]);
        }
        for vertex in (0..=last).rev() {
            graph.add_edges(vertex, [Direction::East, Direction::South]);
        }
        graph
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        (self.edges.len() * size_of::<[u16; 4]>() + self.walls.len()) as u64
    }

    /// Where a robot on this vertex stops; `None` if it cannot move.
    #[inline]
    pub(super) fn child(&self, vertex: u16, direction: Direction) -> Option<u16> {
        let child = self.edges[usize::from(vertex)][direction.index()];
        (child != NIL).then_some(child)
    }

    /// All edges of a vertex.
    #[inline]
    pub(super) fn edges(&self, vertex: u16) -> impl Iterator<Item = (Direction, u16)> + use<> {
        let edges = self.edges[usize::from(vertex)];
        Direction::ALL
            .into_iter()
            .zip(edges)
            .filter(|&(_, child)| child != NIL)
    }

    /// ADD-EDGES with GET-CHILD: the neighbour's child, or the neighbour itself if it has none.
    fn add_edges(&mut self, vertex: u16, directions: [Direction; 2]) {
        for direction in directions {
            if self.can_move(vertex, direction) {
                let next = self.next(vertex, direction);
                let child = self.child(next, direction).unwrap_or(next);
                self.set(vertex, direction, child);
            }
        }
    }

    /// PLACE-ROBOT: everything that would run over `vertex` now stops before it.
    pub(super) fn place_robot(&mut self, vertex: u16) {
        for direction in Direction::ALL {
            let Some(mut at) = self.distant_vertex(vertex, direction) else {
                continue;
            };
            let nearest = self.next(vertex, direction);
            let back = direction.opposite();
            while at != nearest {
                self.set(at, back, nearest);
                at = self.next(at, back);
            }
            self.set(nearest, back, NIL);
        }
    }

    /// REMOVE-ROBOT: the same vertices go as far as the vertex itself would have gone, or to it.
    pub(super) fn remove_robot(&mut self, vertex: u16) {
        for direction in Direction::ALL {
            let Some(mut at) = self.distant_vertex(vertex, direction) else {
                continue;
            };
            let nearest = self.next(vertex, direction);
            let back = direction.opposite();
            let child = self.child(vertex, back).unwrap_or(vertex);
            while at != nearest {
                self.set(at, back, child);
                at = self.next(at, back);
            }
            self.set(nearest, back, child);
        }
    }

    /// DISTANT-VERTEX: the last vertex in a direction whose edge back has to change. The thesis's
    /// four cases:
    fn distant_vertex(&self, vertex: u16, direction: Direction) -> Option<u16> {
        // 1. A wall: no edge has to be updated.
        if !self.can_move(vertex, direction) {
            return None;
        }
        Some(match self.child(vertex, direction) {
            // 2a. No edge: another robot stands on the adjacent field. Only its own edge changes.
            None => self.next(vertex, direction),
            Some(child) if self.can_move(child, direction) => {
                // 2c. A robot stands behind the child: its edge changes as well.
                self.next(child, direction)
            }
            // 2b. A wall stands behind the child.
            Some(child) => child,
        })
    }

    /// CAN-MOVE: whether no wall is in the way, robots aside.
    fn can_move(&self, vertex: u16, direction: Direction) -> bool {
        self.walls[usize::from(vertex)] & direction.wall_bit() == 0
    }

    /// NEXT-VERTEX: the neighbour, which must exist.
    fn next(&self, vertex: u16, direction: Direction) -> u16 {
        match direction {
            Direction::North => vertex - self.width,
            Direction::East => vertex + 1,
            Direction::South => vertex + self.width,
            Direction::West => vertex - 1,
        }
    }

    fn set(&mut self, vertex: u16, direction: Direction, child: u16) {
        self.edges[usize::from(vertex)][direction.index()] = child;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;
    use ricochet_core::{Cell, Robot};

    /// Every edge is what the rules say, with these robots on the board.
    fn check(graph: &Graph, board: &Board, robots: &[Cell]) {
        for cell in board.cells() {
            for direction in Direction::ALL {
                let end = board.slide(Robot::RED, cell, direction, robots);
                let expected = (end != cell).then(|| board.index(end) as u16);
                let child = graph.child(board.index(cell) as u16, direction);
                assert_eq!(child, expected, "{cell} {direction} with {robots:?}");
            }
        }
    }

    #[test]
    fn edges_are_slides_while_robots_come_and_go() {
        let random = |width, height| Recipe::random(RandomBoard::new(width, height));
        let recipes = [
            Recipe::official(Edition::Of1999),
            random(5, 3),
            random(9, 17),
            random(32, 32),
        ];
        for (number, recipe) in recipes.iter().enumerate() {
            let puzzle = recipe.puzzle(5, number as u64).unwrap();
            let board = puzzle.board();
            let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
            let mut graph = Graph::new(board);
            let empty = graph.clone();
            check(&graph, board, &[]);
            let mut robots: Vec<Cell> = Vec::new();
            let mut seed = 99u32;
            for _ in 0..300 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Crowded corners: neighbouring robots are the interesting cases.
                let cell = open[(seed >> 16) as usize % open.len().min(12)];
                if let Some(place) = robots.iter().position(|&robot| robot == cell) {
                    robots.swap_remove(place);
                    graph.remove_robot(board.index(cell) as u16);
                } else if robots.len() < 8 {
                    robots.push(cell);
                    graph.place_robot(board.index(cell) as u16);
                }
                check(&graph, board, &robots);
            }
            for &robot in &robots {
                graph.remove_robot(board.index(robot) as u16);
            }
            assert_eq!(graph, empty, "back to the default state");
        }
    }
}
