// Edits of one file if a preset derives data from all files together.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ContentOptions } from '../../../src/content/pipeline/content-options.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import type { LiveContent } from '../../../src/watch/live-content/live-content.ts'
import { contentFolder, contentOptions, type Files, writeFiles } from '../../content/load-files.ts'
import { mappingOf } from '../../content/preset/mapping.ts'
import { createStamper, loadAnew, openLive, wholeOf } from './live-project.ts'

const page = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n\nText.\n`

const openHugo = (files: Files) => openSite('hugo', files)

async function openSite(preset: PresetName, files: Files): Promise<{ root: string; live: LiveContent }> {
  const { markdown, defaults } = contentOptions('')
  const options: Partial<ContentOptions> = {
    preset,
    markdown: { ...markdown, dialect: preset, frontmatter: mappingOf({ preset }) },
    defaults: { ...defaults, status: 'published' },
  }
  const root = contentFolder(files)
  const live = openLive(root, options)
  onTestFinished(() => live.close())
  await live.refresh()
  return { root, live }
}

test('a changed translation key, of a translation or an original, requires a full scan', async () => {
  const { root, live } = await openHugo({
    'en/a.md': page('title: A', 'translationKey: k1'),
    'en/b.md': page('title: B', 'translationKey: k2'),
    'fr/c.md': page('title: C', 'translationKey: k1'),
  })
  const originalOf = async () =>
    (await live.refresh()).content.articles.find(({ source }) => source === 'fr/c.md')?.original
  expect(await originalOf()).toBe('en/a.md')
  writeFiles(root, { 'fr/c.md': page('title: C', 'translationKey: k2') })
  expect(await live.edit('fr/c.md')).toBeUndefined()
  expect(await originalOf()).toBe('en/b.md')
  writeFiles(root, { 'en/b.md': page('title: B', 'translationKey: k9') })
  expect(await live.edit('en/b.md')).toBeUndefined()
  expect(await originalOf()).toBeUndefined()
})

test('a category or tag that is no longer used does, too, or a page that is no article now', async () => {
  const { root, live } = await openHugo({
    'a.md': page('title: A', 'categories: [One, Two]', 'tags: [x, y]'),
    'b.md': page('title: B', 'categories: [One]', 'tags: [x]'),
  })
  for (const lines of [
    ['title: A', 'categories: [One]', 'tags: [x, y]'],
    ['title: A', 'categories: [One]', 'tags: [x]'],
    ['title: A', 'categories: [One]', 'tags: [x]', 'headless: true'],
  ]) {
    writeFiles(root, { 'a.md': page(...lines) })
    expect(await live.edit('a.md')).toBeUndefined()
    await live.refresh()
  }
  writeFiles(root, { 'b.md': page('title: Other', 'categories: [One]', 'tags: [x]') })
  expect((await live.edit('b.md'))?.article.title).toBe('Other')
})

test('a link to a folder is checked again when the folder becomes another category, or none', async () => {
  const { markdown, defaults } = contentOptions('')
  const options: Partial<ContentOptions> = {
    preset: 'docusaurus',
    markdown: { ...markdown, dialect: 'docusaurus', frontmatter: mappingOf() },
    defaults: { ...defaults, status: 'published' },
  }
  const list = '"link": { "type": "generated-index"'
  const root = contentFolder({
    'a.md': '# A\n\n[x](/docs/category/guide)\n',
    'z/guide/b.md': '# B\n',
    'z/guide/_category_.json': '{ "label": "Guide" }',
  })
  const live = openLive(root, options)
  onTestFinished(() => live.close())
  const stamp = createStamper(root)
  const hrefNow = async (): Promise<string | undefined> => {
    const { content } = await live.refresh()
    const now = wholeOf(content)
    expect(now).toEqual(await loadAnew(root, options))
    return /href="([^"]*)"/.exec(now.html['a.md'] ?? '')?.[1]
  }
  const hrefAfter = (files: Files): Promise<string | undefined> => {
    writeFiles(root, files)
    stamp(Object.keys(files))
    return hrefNow()
  }
  expect(await hrefNow()).toBe('/docs/category/guide')
  expect(await hrefAfter({ 'z/guide/_category_.json': `{ "label": "Guide", ${list} } }` })).toBe(
    '/en/categories/z-guide',
  )
  // Another folder gets the slug, although no file that describes a folder has changed.
  expect(await hrefAfter({ 'z-guide/c.md': '# C\n' })).toBe('/en/categories/z-guide-2')
  expect(
    await hrefAfter({ 'z/guide/_category_.json': `{ "label": "Guide", ${list}, "slug": "/x" } }` }),
  ).toBe('/docs/category/guide')
  expect(await hrefAfter({ 'z/guide/_category_.json': `{ "label": "Guide", ${list} } }` })).toBe(
    '/en/categories/z-guide-2',
  )
  rmSync(join(root, 'z/guide/b.md'))
  expect(await hrefNow()).toBe('/docs/category/guide')
})

test.each([
  ['mkdocs', '--8<-- "_part.md"\n', '_part.md'],
  ['obsidian', '![[Part]]\n', 'deep/Part.md'],
  ['vitepress', '<<< ./_part.md\n', '_part.md'],
] as const)('an edit of %s that includes a file requires a full scan', async (preset, text, part) => {
  const { root, live } = await openSite(preset, { 'a.md': page('title: A'), [part]: 'One\n' })
  writeFiles(root, { 'a.md': `${page('title: A')}\n${text}` })
  expect(await live.edit('a.md')).toBeUndefined()
  const { content } = await live.refresh()
  expect([...(content.includes.get('a.md') ?? [])].map(([source]) => source)).toEqual([part])
  writeFiles(root, { [part]: 'Two\n' })
  const seen = (await live.refresh()).content
  const article = seen.articles.find(({ source }) => source === 'a.md')
  expect(article === undefined ? '' : seen.readHtml(article)).toContain('Two')
})
