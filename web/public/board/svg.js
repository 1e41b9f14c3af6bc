// Making SVG elements, and the numbers that all layers share.

/** @import {Cell, View} from '../../types/page.d.ts' */

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** The side of a cell in the drawing's own units. */
export const CELL = 100;
export const ROBOT_RADIUS = 36;
/** How far a robot's antenna reaches above its middle. */
export const ANTENNA_TOP = 44;
export const WALL_WIDTH = 9;
export const GRID_WIDTH = 2.5;
/** Around the board: half a wall and a little air; more where numbers stand. */
const MARGIN = 10;
const GUTTER = 50;

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number>} [attributes]
 * @param {...SVGElement} children @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return /** @type {SVGElementTagNameMap[K]} */ (element);
}

/** The middle of a cell. @param {Cell} cell @returns {[number, number]} */
export const middle = ([x, y]) => [(x + 0.5) * CELL, (y + 0.5) * CELL];

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** The drawing's box in its own units. @param {View} view @param {boolean} coordinates @returns {Box} */
export function drawingBox(view, coordinates) {
  const before = coordinates ? GUTTER : MARGIN;
  return {
    left: -before,
    top: -before,
    width: view.width * CELL + before + MARGIN,
    height: view.height * CELL + before + MARGIN,
  };
}

/** @param {Box} box */
export const viewBox = ({ left, top, width, height }) => `${left} ${top} ${width} ${height}`;
