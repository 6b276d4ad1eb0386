// A project of real documents: a folder of Markdown as it is, with its paths and links, by the preset for plain folders.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  for (const path of paths.slice(0, count)) {
    mkdirSync(dirname(join(content, path)), { recursive: true })
    copyFileSync(join(folder, path), join(content, path))
  }
  writeFileSync(join(root, 'kb.config.ts'), CONFIG)
  const rejected = new Set(
    readCheck(root)
      .filter(({ severity }) => severity === 'error')
      .map(({ file }) => file.replace(/^content\//, '')),
  )
  for (const path of rejected) rmSync(join(content, path))
  rmSync(join(root, '.kb'), { recursive: true, force: true })
  const files = paths
    .slice(0, count)
    .filter((path) => !rejected.has(path))
    .map((path) => join(content, path))
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return { root, content, files, bytes, copies: 0, rejected: rejected.size }
}
