import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ContentOptions } from '../../../src/content/pipeline/content-options.ts'
import { openRenderCache } from '../../../src/content/pipeline/render-cache.ts'
import { contentFolder, type Files, writeFiles } from '../../content/load-files.ts'
import { loadAnew, openLive, wholeOf } from './live-project.ts'

const HEAD = 'categories: [Guides]'
const article = (title: string, body: string, more = '') =>
  `---\ntitle: ${title}\n${HEAD}\n${more}---\n\n${body}\n`

const FILES: Files = {
  'a.md': article('A', 'See [b](b.md#steps).'),
  'b.md': article('B', '## Steps\n\nOne.'),
  'c.md': article('C', 'Nothing.'),
}

async function openFolder(files: Files = FILES, changes: Partial<ContentOptions> = {}) {
  const root = contentFolder(files)
  const live = openLive(root, changes)
  onTestFinished(() => live.close())
  await live.refresh()
  return { root, live }
}

const sourcesOf = (live: ReturnType<typeof openLive>) => live.current()?.articles.map(({ source }) => source)
const htmlOf = (live: ReturnType<typeof openLive>, source: string) => {
  const content = live.current()
  const found = content?.articles.find((each) => each.source === source)
  return found === undefined ? undefined : content?.readHtml(found)
}

test('there is no content before the first scan', async () => {
  const live = openLive(contentFolder(FILES))
  expect([live.current(), await live.edit('a.md'), live.faulty(), live.blocked()]).toEqual([
    undefined,
    undefined,
    new Set(),
    new Set(),
  ])
  live.close()
})

test('a cancelled scan changes nothing, and an edit continues at once', async () => {
  const { root, live } = await openFolder()
  const before = live.current()
  writeFiles(root, { 'a.md': article('A', 'See [b](b.md).'), 'd.md': article('D', 'New.') })
  const stop = new AbortController()
  const look = live.refresh({ signal: stop.signal })
  const edit = live.edit('a.md')
  stop.abort()
  await expect(look).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(live.current()).toBe(before)
  expect((await edit)?.article.source).toBe('a.md')
  expect((await live.refresh()).touched).toEqual(['d.md'])
  expect(wholeOf((await live.refresh()).content)).toEqual(await loadAnew(root))
})

test('a scan reports new, changed and removed files, by their bytes', async () => {
  const { root, live } = await openFolder()
  writeFiles(root, {
    'a.md': FILES['a.md'] ?? '',
    'd.md': article('D', 'New.'),
    'c.md': article('C', 'Other.'),
  })
  rmSync(join(root, 'b.md'))
  expect((await live.refresh()).touched).toEqual(['b.md', 'c.md', 'd.md'])
  expect((await live.refresh()).touched).toEqual([])
})

test('unchanged content is the identical object', async () => {
  const { root, live } = await openFolder({ ...FILES, '_categories.yml': '- name: Guides\n  slug: guides\n' })
  const before = live.current()
  writeFiles(root, { 'c.md': article('C', 'Other.') })
  const { content } = await live.refresh()
  expect(content.articles[0]).toBe(before?.articles[0])
  expect(content.articles[1]).toBe(before?.articles[1])
  expect(content.articles[2]).not.toBe(before?.articles[2])
  expect(content.taxonomy).toBe(before?.taxonomy)
})

test('an edit of a text is accepted at once, and the next scan finds no change in it', async () => {
  const rules = { 'link-heading-missing': 'warning' } as const
  const { root, live } = await openFolder(FILES, { rules })
  writeFiles(root, { 'a.md': article('A', 'See [b](b.md#stepz).') })
  const edited = await live.edit('a.md')
  const fresh = await loadAnew(root, { rules })
  expect(edited).toEqual({ article: fresh.articles[0], diagnostics: fresh.diagnostics })
  expect(fresh.diagnostics).not.toEqual([])
  const content = live.current()
  expect(content && wholeOf(content)).toEqual(fresh)
  const looked = await live.refresh()
  expect(looked.touched).toEqual([])
  expect(looked.content.articles[0]).toBe(edited?.article)
})

test('the same bytes result in the same article', async () => {
  const { root, live } = await openFolder()
  writeFiles(root, { 'a.md': FILES['a.md'] ?? '' })
  const edited = await live.edit('a.md')
  expect(edited?.article).toBe(live.current()?.articles[0])
})

test.each<readonly [what: string, source: string, text: string | undefined]>([
  ['gone', 'b.md', undefined],
  ['new', 'new.md', article('New', 'Text.')],
  ['a slug', 'b.md', article('B', '## Steps\n\nOne.', 'slug: other\n')],
  ['a language', 'b.md', article('B', '## Steps\n\nOne.', 'language: fr\n')],
  ['a status', 'b.md', article('B', '## Steps\n\nOne.', 'status: published\n')],
  ['an original', 'b.md', article('B', '## Steps\n\nOne.', 'translationOf: a.md\n')],
  ['the title of a draft', 'b.md', article('Bee', '## Steps\n\nOne.')],
  ['a heading', 'b.md', article('B', '## Step\n\nOne.')],
  ['an include', 'b.md', article('B', '## Steps\n\n<!-- include: c.md -->')],
  ['a file that is included', 's.md', article('S', 'Other.')],
  ['an article that includes', 'i.md', article('I', 'No more.')],
  ['a comment that ignores', 'b.md', article('B', '## Steps\n\n<!-- kb-ignore-next-line bare-url -->')],
  ['an article with such a comment', 'g.md', article('G', 'None.')],
  ['broken frontmatter', 'b.md', '---\ntitle: [\n---\n'],
  ['half a file', 'b.md', '---\ntit'],
  ['an unknown category', 'b.md', article('B', '## Steps', '').replace('Guides', 'Nowhere')],
  ['a wrong link', 'b.md', article('B', '## Steps\n\n[x](nowhere.md)')],
  ['a mended link', 'w.md', article('W', 'Mended.')],
])('an edit that may affect other articles needs a scan: %s', async (_what, source, text) => {
  const { root, live } = await openFolder({
    ...FILES,
    's.md': article('S', 'Text.'),
    'i.md': article('I', '<!-- include: s.md -->'),
    'w.md': article('W', '[x](nowhere.md)'),
    'g.md': article('G', '<!-- kb-ignore-next-line bare-url -->\n\nText.'),
    '_categories.yml': '- name: Guides\n  slug: guides\n',
  })
  if (text === undefined) rmSync(join(root, source))
  else writeFiles(root, { [source]: text })
  const before = live.current()
  expect(await live.edit(source)).toBeUndefined()
  expect(live.current()).toBe(before)
  const { content } = await live.refresh()
  expect(content.diagnostics).toEqual((await loadAnew(root)).diagnostics)
})

test("a problem of a link to a draft contains the draft's current title", async () => {
  const rules = { 'link-to-draft': 'warning' } as const
  const linking = article('A', 'See [b](b.md).', 'status: published\n')
  const { root, live } = await openFolder({ ...FILES, 'a.md': linking }, { rules })
  writeFiles(root, { 'b.md': article('Bee', '## Steps\n\nOne.') })
  const { content } = await live.refresh()
  expect(content.diagnostics.map(({ message }) => message)).toEqual([
    'The link leads to "Bee", which is a draft.',
  ])
})

test('a new article is found by the articles that refer to it, as original and as link', async () => {
  const { root, live } = await openFolder({
    'a.md': article('A', '[x](settigs.md)'),
    'b.md': article('B', 'Texte.', 'language: fr\ntranslationOf: setup\n'),
  })
  expect(live.current()?.articles[1]?.original).toBe(undefined)
  writeFiles(root, { 'settings.md': article('S', 'Text.', 'slug: setup\n') })
  const { content } = await live.refresh()
  expect(content.articles[1]?.original).toBe('settings.md')
  expect(content.diagnostics).toMatchObject([
    { code: 'link-file-missing', hint: 'Did you mean settings.md?' },
  ])
  writeFiles(root, {
    'settings.md': article('S', 'Text.', 'slug: other\n'),
    'z.md': article('Z', '', 'slug: setup\n'),
  })
  await live.refresh()
  expect(live.current()?.articles[1]?.original).toBe('z.md')
})

test('a faulty article keeps its last valid version, and links to it stay the same', async () => {
  const { root, live } = await openFolder()
  const before = ['a.md', 'b.md', 'c.md'].map((source) => htmlOf(live, source))
  const good = live.current()?.articles[1]
  for (const text of ['---\ntitle: [\n---\n', '', '---\ntitel: B\n---\n']) {
    writeFiles(root, { 'b.md': text })
    await live.refresh()
    expect(live.current()?.articles[1]).toBe(good)
    expect(['a.md', 'b.md', 'c.md'].map((source) => htmlOf(live, source))).toEqual(before)
    expect([live.faulty(), live.blocked()]).toEqual([new Set(['b.md']), new Set()])
    expect(live.current()?.diagnostics).toEqual((await loadAnew(root)).diagnostics)
  }
  writeFiles(root, { 'b.md': article('B', '## Steps\n\nMended.') })
  const { content } = await live.refresh()
  expect(wholeOf(content)).toEqual(await loadAnew(root))
  expect(live.faulty()).toEqual(new Set())
})

test('other articles can be edited in the meantime', async () => {
  const { root, live } = await openFolder()
  const good = live.current()?.articles[1]
  writeFiles(root, { 'b.md': '' })
  await live.refresh()
  writeFiles(root, { 'a.md': article('A', 'See [b](b.md#other) now.') })
  expect(await live.edit('a.md')).toMatchObject({ diagnostics: [] })
  expect(htmlOf(live, 'a.md')).toContain('href="/en/b#other"')
  expect(live.current()?.articles[1]).toBe(good)
})

test('without a last valid version, a faulty article is missing, and dependent articles wait', async () => {
  const { root, live } = await openFolder({
    ...FILES,
    'b.md': '---\ntitle: [\n---\n',
    'c.md': article('C', 'Texte.', 'language: fr\ntranslationOf: b\n'),
    'd.md': article('D', 'Nothing.'),
  })
  expect(sourcesOf(live)).toEqual(['a.md', 'c.md', 'd.md'])
  expect([live.faulty(), live.blocked()]).toEqual([new Set(['b.md']), new Set(['a.md', 'c.md'])])
  writeFiles(root, { 'b.md': FILES['b.md'] ?? '' })
  await live.refresh()
  expect([live.faulty(), live.blocked()]).toEqual([new Set(), new Set()])
})

test('a last valid version ends with its file, and another article can have its slug', async () => {
  const { root, live } = await openFolder()
  writeFiles(root, { 'b.md': '', 'c.md': article('C', 'Nothing.', 'slug: b\n') })
  await live.refresh()
  expect(sourcesOf(live)).toEqual(['a.md', 'c.md'])
  writeFiles(root, { 'c.md': FILES['c.md'] ?? '' })
  await live.refresh()
  expect(sourcesOf(live)).toEqual(['a.md', 'b.md', 'c.md'])
  rmSync(join(root, 'b.md'))
  await live.refresh()
  expect(sourcesOf(live)).toEqual(['a.md', 'c.md'])
  expect(live.faulty()).toEqual(new Set())
})

test('a moved folder has the same result as if it had always been there', async () => {
  const { root, live } = await openFolder({ ...FILES, 'x/d.md': article('D', '[a](../a.md)') })
  renameSync(join(root, 'x'), join(root, 'y'))
  const { content, touched } = await live.refresh()
  expect(touched).toEqual(['x/d.md', 'y/d.md'])
  expect(wholeOf(content)).toEqual(await loadAnew(root))
})

test('texts that another process removed from the cache are compiled again', async () => {
  const { root, live } = await openFolder()
  writeFiles(root, { 'b.md': '' })
  await live.refresh()
  const other = openRenderCache(join(root, '.kb', 'rendered.db'))
  const filler = Array.from({ length: 1100 }, (_, n) => ({
    key: `k${n}`,
    meta: '{}',
    links: '{}',
    html: '[]',
  }))
  other.store(filler)
  other.prune(new Set())
  other.close()
  const { content } = await live.refresh()
  // The last valid version was stored nowhere else.
  expect(wholeOf(content)).toEqual(await loadAnew(root))
})

test('a cancelled scan changes nothing', async () => {
  const { root, live } = await openFolder()
  const before = live.current()
  writeFiles(root, { 'a.md': article('A', 'Other.') })
  await expect(live.refresh({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(live.current()).toBe(before)
  expect((await live.refresh()).touched).toEqual(['a.md'])
})

test('concurrent calls run one after another', async () => {
  const { root, live } = await openFolder()
  writeFileSync(join(root, 'a.md'), article('A', 'Other.'))
  const [edited, looked, again] = await Promise.all([live.edit('a.md'), live.refresh(), live.edit('a.md')])
  expect(looked.touched).toEqual([])
  expect(again?.article).toBe(edited?.article)
})
