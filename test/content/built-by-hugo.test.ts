// Compares the pages that Hugo itself built for test/sites/hugo (they contain its version) with what is sent. There is
// no npm package of Hugo, so they are in the repository; after a change of that site:
//
//     hugo --source test/sites/hugo --destination built --cleanDestinationDir
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/core/config/load-config.ts'
import { findContent, openContent } from '../../src/sync/open-content.ts'
import { lostWords, wordsOf } from '../support/compare-words.ts'
import { temporaryFolder } from '../support/folder.ts'

const SITE = fileURLToPath(new URL('../sites/hugo/', import.meta.url))

/** Pages by file. */
const PAGES: Readonly<Record<string, string>> = {
  '_index.md': 'index.html',
  'docs/_index.md': 'docs/index.html',
  'docs/alone/_index.md': 'docs/alone/index.html',
  'docs/guide/_index.md': 'docs/guide/index.html',
  'docs/guide/first.md': 'docs/guide/first/index.html',
  'docs/install.md': 'docs/install/index.html',
}

test('no word of a page that Hugo builds is lost without a diagnostic', async () => {
  const cwd = join(temporaryFolder(), 'site')
  cpSync(SITE, cwd, { recursive: true })
  const settings = await loadConfig({ cwd })
  const { content, cache } = await openContent(settings, await findContent(settings))
  const sent = new Map(
    content.articles.map((article) => [article.source, `${article.title} ${content.readHtml(article)}`]),
  )
  for (const { source, name, description, longDescription } of content.taxonomy.categories ?? [])
    if (source !== undefined)
      sent.set(source, `${sent.get(source) ?? ''} ${name} ${description ?? ''} ${longDescription ?? ''}`)
  cache.close()
  const lost = Object.entries(PAGES).map(([source, page]) => {
    const html = readFileSync(join(SITE, 'built', page), 'utf8')
    expect(html).toContain('<meta name="generator" content="Hugo 0.111.3">')
    const built = wordsOf(html, ({ tagName }) => tagName === 'main')
    return [source, lostWords(built, wordsOf(sent.get(source) ?? ''))]
  })
  expect(Object.fromEntries(lost)).toEqual({
    '_index.md': [],
    'docs/_index.md': [],
    'docs/alone/_index.md': [],
    'docs/guide/_index.md': [],
    'docs/guide/first.md': ['lost', 'heading'],
    'docs/install.md': [],
  })
  expect(content.diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'content/docs/guide/first.md:7 shortcode-removed',
  ])
})
