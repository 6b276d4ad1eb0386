// Measures the structure of src/ and fails where a figure exceeds its limit in structure-limits.json. A change that needs
// more raises the limit by a stated amount, in a commit of its own; one that leaves less lowers it.
//   node scripts/structure.mjs           each figure beside its limit
//   node scripts/structure.mjs --list    and what counts towards it
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { measureStructure } from './measure-structure.mjs'

const root = dirname(import.meta.dirname)
const limits = JSON.parse(readFileSync(join(root, 'scripts/structure-limits.json'), 'utf8'))

const paths = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
const texts = paths.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')])

for (const [name, { value, of }] of Object.entries(measureStructure(Object.fromEntries(texts)))) {
  const isExceeded = value > limits[name]
  if (isExceeded) process.exitCode = 1
  const verdict = isExceeded ? 'more than' : 'at most'
  console.log(`${String(value).padStart(8)}  ${name}, ${verdict} ${limits[name]}`)
  if (isExceeded || process.argv.includes('--list')) for (const line of of) console.log(`          ${line}`)
}
