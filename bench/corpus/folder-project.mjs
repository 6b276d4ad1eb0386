// A project of real documents: a folder of Markdown with its paths and links, by the preset for plain folders.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { readCheck } from '../kb.mjs'

/** Images are not copied, and parts of a folder link to the rest: such problems must not stop a sync. */
const CONFIG = `import { defineConfig } from 'kb-sync'

const off = ['link-file-missing', 'link-outside', 'link-not-article', 'link-heading-missing', 'asset-missing',
  'asset-too-large', 'asset-type', 'excerpt-too-long', 'site-address',
  'frontmatter-unknown-key', 'link-taxonomy-missing', 'value-unresolved']

export default defineConfig({
  project: 'bench',
  content: 'content',
  preset: 'folder',
  sync: { timeout: '5m' },
  rules: Object.fromEntries(off.map((rule) => [rule, 'off'])),
})
`

/** The paths of all Markdown files in `folder`, by name. */
export function listMarkdown(folder, under = '') {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .filter(({ name }) => !/^[._]/.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`
      if (entry.isDirectory()) return listMarkdown(folder, path)
      return entry.isFile() && entry.name.endsWith('.md') ? [path] : []
    })
}

/**
 * Writes a project of the first `count` documents of `paths` in `folder` under `root`; those with errors are left out.
 *
 * @returns what was written, as `writeProject` does
 */
export function writeFolderProject(root, folder, paths, count) {
  const content = join(root, 'content')
  const copyOf = createCopyOf(paths)
  const copies = paths.slice(0, count).map(copyOf)
  for (const [index, copy] of copies.entries()) {
    const bytes = readFileSync(join(folder, paths[index]))
    mkdirSync(dirname(join(content, copy)), { recursive: true })
    writeFileSync(join(content, copy), withMovedLinks(bytes, paths[index], copyOf))
  }
  writeFileSync(join(root, 'kb.config.ts'), CONFIG)
  const rejected = new Set(
    readCheck(root)
      .filter(({ severity }) => severity === 'error')
      .map(({ file }) => file.replace(/^content\//, '')),
  )
  for (const path of rejected) rmSync(join(content, path))
  rmSync(join(root, '.kb'), { recursive: true, force: true })
  const files = copies.filter((path) => !rejected.has(path)).map((path) => join(content, path))
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return { root, content, files, bytes, copies: 0, rejected: rejected.size }
}

/**
 * A target lists the name of a category and that of its parent: of folders that have both in common, it cannot be told
 * which is which. So such a folder is named after those above it, too.
 *
 * @returns where a path goes
 */
function createCopyOf(paths) {
  const folders = new Set(paths.map((path) => dirname(path)).flatMap(withParents))
  const counts = new Map()
  for (const parts of [...folders].map((path) => path.split('/')))
    counts.set(nameOf(parts), (counts.get(nameOf(parts)) ?? 0) + 1)
  return (path) => {
    const parts = path.split('/')
    const copied = parts.map((part, index) => {
      const isUnique = (counts.get(nameOf(parts.slice(0, index + 1))) ?? 0) <= 1
      return isUnique ? part : [part, ...parts.slice(0, index - 1)].join('-')
    })
    return copied.join('/')
  }
}

function withParents(folder) {
  const parts = folder.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function nameOf(parts) {
  return parts.length === 1 ? `/${parts[0]}` : parts.slice(-2).join('/')
}

/** The text of a document whose links lead to where `copyOf` puts other documents. */
function withMovedLinks(bytes, path, copyOf) {
  const text = bytes.toString('latin1')
  const moved = text.replace(/(\]\(|^\[[^\]\n]+\]: *)([^\s)#:]+)/gm, (all, before, url) => {
    const target = posix.join(dirname(path), url)
    const copy = copyOf(target)
    return copy === target ? all : `${before}${posix.relative(dirname(copyOf(path)), copy)}`
  })
  return Buffer.from(moved, 'latin1')
}
