import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LEAST_BYTES = 200
const MOST_BYTES = 200_000

/**
 * The Markdown that npm packages ship, as `{ package, path, text }`: documents that nobody here wrote. Each text comes
 * once; the order depends on the names alone.
 */
export function findMarkdown(nodeModules) {
  const seen = new Set()
  const found = []
  for (const file of walk(nodeModules).toSorted()) {
    const bytes = readFileSync(join(nodeModules, file))
    if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES || !isUtf8(bytes)) continue
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (seen.has(hash)) continue
    seen.add(hash)
    found.push({ ...splitPath(file), text: bytes.toString('utf8').replace(/^\uFEFF/, '') })
  }
  return found
}

function walk(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return walk(root, path)
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : []
  })
}

/** The innermost package that holds the file, and the path inside it. */
function splitPath(file) {
  const parts = file.split('node_modules/').at(-1).split('/')
  const depth = parts[0].startsWith('@') ? 2 : 1
  return { package: parts.slice(0, depth).join('/'), path: parts.slice(depth).join('/') }
}
