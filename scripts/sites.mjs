// Builds the sites of test/sites/ with their own tools and the packed kb-sync. With --if-changed, only where something that
// they use is not as it was when all of them last passed; other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestFiles } from './digest-files.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// A hidden file is no part of the digest.
const STAMP = join(root, 'test/sites/.passed-with')
const PLUGINS = ['vite', 'eleventy', 'astro', 'docusaurus', 'docusaurus/plugin'].map(
  (name) => `dist/plugins/${name}.js`,
)

const digest = digestFiles(root, [
  ...bundleOf(PLUGINS),
  'dist/plugins/docusaurus/theme',
  'dist/plugins/virtual.d.ts',
  'package.json',
  'test/sites',
  'test/support',
  'vitest.sites.config.ts',
  // Some sites are made of the code blocks of these pages.
  'content/automation',
])

const args = process.argv.slice(2).filter((each) => each !== '--if-changed')
const passed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').trim() : undefined
if (process.argv.includes('--if-changed') && passed === digest) {
  console.log('The sites have passed with what they use now; nothing is built again.')
} else {
  const vitest = ['vitest', 'run', '--config', 'vitest.sites.config.ts', ...args]
  const { status } = spawnSync('npx', vitest, { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
  // Part of the sites says nothing of the others.
  if (status === 0 && args.length === 0) writeFileSync(STAMP, `${digest}\n`)
}

/** All files of dist/ that loading one of `files` may load, at once or later. */
function bundleOf(files) {
  const found = new Set(files)
  for (const file of found) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g))
      found.add(join(dirname(file), path))
  }
  return [...found]
}
