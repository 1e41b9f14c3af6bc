// Writes types/api.d.ts, the types of requests and answers, from docs/api/schema.json:
//
//   npm run api-types
//
// A test fails if the committed file is not what this script writes.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {Record<string, any>} Schema */

const WEB = fileURLToPath(new URL('..', import.meta.url));
const SCHEMA = path.join(WEB, '..', 'docs', 'api', 'schema.json');
export const TYPES = path.join(WEB, 'types', 'api.d.ts');

/** Types as the page uses them, not as the schema has them. @type {Record<string, string>} */
const OWN = {
  // Answers have lists; only requests may have one text.
  Moves: 'Move[]',
  // The page takes letters and colours from tables by the robot's number.
  Robot: 'string',
  Colour: 'string',
};

/** @param {Schema[]} schemas */
const union = (schemas) => [...new Set(schemas.map(typeOf))].join(' | ');

/** The TypeScript type of a schema. @param {Schema | boolean} schema @returns {string} */
function typeOf(schema) {
  if (typeof schema === 'boolean') return 'unknown';
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(' | ');
  if (schema.anyOf || schema.oneOf) return union(schema.anyOf ?? schema.oneOf);
  if (Array.isArray(schema.type)) return union(schema.type.map((/** @type {string} */ type) => ({ ...schema, type })));
  switch (schema.type) {
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'string':
    case 'null':
      return schema.type;
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** @param {Schema} schema */
function arrayOf({ prefixItems, items, minItems, maxItems }) {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`;
  const one = typeOf(items);
  if (minItems !== undefined && minItems === maxItems) return `[${Array(minItems).fill(one).join(', ')}]`;
  return /[|]/.test(one) ? `(${one})[]` : `${one}[]`;
}

/** A field that takes one of some names is a text: the page has these names from lists and settings. @param {Schema} field */
const asText = ({ enum: _, ...field }) => field;

/** @param {Schema} schema */
function objectOf({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(asText(field))}`);
  if (additionalProperties) fields.push(`[name: string]: ${typeOf(additionalProperties)}`);
  return fields.length ? `{ ${fields.join('; ')} }` : 'Record<string, never>';
}

/** The whole file. @returns {string} */
export function apiTypes() {
  const { $defs, questions } = JSON.parse(fs.readFileSync(SCHEMA, 'utf8'));
  const types = Object.entries($defs).map(([name, schema]) => `export type ${name} = ${OWN[name] ?? typeOf(schema)};`);
  const table = Object.entries(questions).map(([name, { request, answer }]) => `  ${name}: { request: ${typeOf(request)}; answer: ${typeOf(answer)} };`);
  return [
    '// Requests and answers of the engine, which docs/api/schema.json explains. `npm run api-types` writes this file.',
    '',
    ...types,
    '',
    '/** What is asked and answered, by question. */',
    'export interface Questions {',
    ...table,
    '}',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(TYPES, apiTypes());
