// Writes the guide's reference of the library, content/automation/library-reference.md, from the docstrings of what the
// package exports. typedoc reads no TypeScript 7.
//   node scripts/reference.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderReference } from './render-reference.mjs'

const root = dirname(import.meta.dirname)
const page = renderReference((path) => readFileSync(join(root, path), 'utf8'))
writeFileSync(join(root, 'content/automation/library-reference.md'), page)
