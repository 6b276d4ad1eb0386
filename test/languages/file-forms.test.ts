// Files as they come from every system: line ends, byte order marks, the forms of Unicode, and rare characters.
import { describe, expect, test } from 'vitest'
import { createKb } from '../../src/index.ts'
import { contentFolder, loadFiles, loadFolder, placesOf, writeFiles } from '../content/load-files.ts'
import { createProject, type Files } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'
import { png } from '../support/images.ts'

const BOM = '\ufeff'
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

const LF: Files = {
  'content/_categories.yml':
    '# All of them\n- name: Guides\n  slug: guides\n  longDescription: |\n    First line.\n\n    Second *line*.\n- name: Tips\n  slug: tips\n',
  'content/_tags.yml': '- name: Safety\n  slug: safety\n- name: Access\n  slug: access\n',
  'content/_snippets/note.md': 'From a *snippet*.\n\n- one\n- two\n',
  'content/one.md':
    '---\ntitle: One\ncategories: [Guides]\ntags:\n  - Safety\n  - Access\nexcerpt: >\n  folded\n  text\n---\n\n' +
    '# One\n\nText with  \na break, see [two](two.md#more).\n\n<!-- include: _snippets/note.md -->\n\n' +
    '```js\nlet a = 1\n\tlet b = 2\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> [!NOTE]\n> Mind\n> this.\n\n<details>\n<summary>More</summary>\n\nHidden.\n\n</details>\n',
  'content/two.md':
    '---\ntitle: Two\ncategories: [Tips]\ntags: [Access]\n---\n\n## More\n\nSee [one](one.md).\n',
  'kb.config.ts':
    "import { defineConfig } from 'kb-sync'\n\nexport default defineConfig({\n  rules: { 'tag-used-once': 'off' },\n})\n",
  'package.json': '{\n  "name": "demo"\n}\n',
}

/** All that a run would send, and what it is about. */
async function rendered(files: Files, parser: 'native' | 'remark'): Promise<unknown> {
  const project = createProject(files)
  const kb = createKb({ cwd: project.root, env: {} })
  const { project: name, contentRoot } = await kb.loadSettings()
  const { html, articles, taxonomy, diagnostics } = await loadFolder(contentRoot, {
    markdown: { parser, remarkPlugins: [], allow: {} },
  })
  const fields = articles.map(({ title, slug, excerpt, categories, tags }) => ({
    title,
    slug,
    excerpt,
    categories,
    tags,
  }))
  return { name, html, fields, taxonomy, diagnostics }
}

describe.each(['native', 'remark'] as const)('with the %s parser', (parser) => {
  test.each([
    ['CRLF', crlf],
    ['a byte order mark', (text: string) => `${BOM}${text}`],
    ['both', (text: string) => `${BOM}${crlf(text)}`],
  ])('%s makes no difference, in any kind of file', async (_, change) => {
    const changed = Object.fromEntries(Object.entries(LF).map(([name, text]) => [name, change(text)]))
    const expected = await rendered(LF, parser)
    expect(expected).toMatchObject({ name: 'demo', diagnostics: [] })
    expect(await rendered(changed, parser)).toEqual(expected)
  })

  test('problems stand at the same places', async () => {
    const text =
      '---\ntitle: One\ncategories: [Guides]\nreviewDate: soon\n---\n\nText.\n\nA [link](nowhere.md)\nand ![one](none.png).\n'
    const [, body = ''] = /^---\n.*?\n---\n(.*)$/s.exec(text) ?? []
    const valid = `---\ntitle: One\ncategories: [Guides]\n---\n${body}`
    for (const written of [text, valid]) {
      const options = { markdown: { parser, remarkPlugins: [], allow: {} } }
      const expected = placesOf(await loadFiles({ 'one.md': written }, options))
      expect(expected.length).toBeGreaterThan(0)
      for (const change of [crlf, (each: string) => `${BOM}${each}`])
        expect(placesOf(await loadFiles({ 'one.md': change(written) }, options))).toEqual(expected)
    }
  })

  test('line separators, tabs and other white space are text, and places behind them are right', async () => {
    const odd = 'a\u2028b\u2029c\u0085d\u00a0e\u000bf\u000cg'
    const text = `---\ntitle: "T\u2028itle"\ncategories: [Guides]\nexcerpt: "x\u2029y"\n---\n\n${odd}\n\n-\titem\n\n\tcode\n\n${odd} [x](none.md)\n`
    const { diagnostics, articles } = await loadFiles(
      { 'a.md': text, 'b.md': text.replace('[x](none.md)', '') },
      { markdown: { parser, remarkPlugins: [], allow: {} } },
    )
    expect(placesOf({ diagnostics })).toEqual([`a.md:13:${odd.length + 6} link-file-missing`])
    expect(articles.map(({ title, excerpt }) => [title, excerpt])).toEqual([
      ['T\u2028itle', 'x\u2029y'],
      ['T\u2028itle', 'x\u2029y'],
    ])
  })
})

test('a checkout with the line ends of Windows has nothing to send', async () => {
  const service = await startStrictService()
  const names = ['content/_snippets/note.md', 'content/one.md', 'content/two.md']
  const files = Object.fromEntries(names.map((name) => [name, (LF[name] ?? '').replace('Tips', 'Guides')]))
  const plain = Object.entries(files).map(([name, text]) => [
    name,
    text.replace(/^tags:.*\n(  - .*\n)*/m, ''),
  ])
  const project = createSyncProject(service.url, Object.fromEntries(plain) as Files)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  project.write(Object.fromEntries(plain.map(([name = '', text = '']) => [name, crlf(text)])))
  expect(outcomeOf(await project.plan({ verify: true }))).toEqual({ unchanged: 2 })
  project.forgetState()
  expect(outcomeOf(await project.plan())).toEqual({ unchanged: 2 })
})

const NFC = 'Über-café'.normalize('NFC')
const NFD = NFC.normalize('NFD')

test('names and links meet in every form of Unicode', async () => {
  const image = png()
  const links = [NFC, NFD].flatMap((form) => [
    `[a](${form}.md#${form.toLowerCase()})`,
    `[a](${encodeURI(`${form}.md#${form.toLowerCase()}`)})`,
    `![a](<bilder-ü/${form}.png>)`,
    `![a](${encodeURI(`${form === NFC ? 'bilder-ü'.normalize('NFD') : 'bilder-ü'}/${form}.png`)})`,
  ])
  for (const onDisk of [NFC, NFD]) {
    const { html, diagnostics, articles } = await loadFiles({
      [`${onDisk}.md`]: `---\ntitle: Name\ncategories: [Guides]\n---\n\n## ${NFD}\n\nText.\n`,
      [`${'bilder-ü'.normalize(onDisk === NFC ? 'NFC' : 'NFD')}/${onDisk}.png`]: image,
      'links.md': `---\ntitle: Links\ncategories: [Guides]\n---\n\n${links.join('\n')}\n`,
    })
    expect(placesOf({ diagnostics })).toEqual([])
    expect(articles.map(({ slug }) => slug).toSorted()).toEqual([NFC, 'links'].toSorted())
    const hrefs = [...(html['links.md'] ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(new Set(hrefs)).toEqual(new Set([`/en/${NFC}#${encodeURI(NFC.toLowerCase())}`]))
    expect([...(html['links.md'] ?? '').matchAll(/src="data:image\/png/g)]).toHaveLength(4)
  }
})

test('two files whose names differ only in their form are two articles of one slug', async () => {
  const root = contentFolder({})
  const text = '---\ntitle: Name\ncategories: [Guides]\n---\n\nText.\n'
  writeFiles(root, { [`${NFC}.md`]: text, [`${NFD}.md`]: text })
  const { diagnostics } = await loadFolder(root)
  expect(diagnostics.map(({ code }) => code)).toContain('slug-duplicate')
})

test('categories and tags are found in every form', async () => {
  const { diagnostics } = await loadFiles({
    '_categories.yml': `- name: ${NFD}\n`,
    '_tags.yml': `- name: ${NFC}\n`,
    'a.md': `---\ntitle: A\ncategories: [${NFC}]\ntags: [${NFD}]\n---\n\nText.\n`,
  })
  expect(placesOf({ diagnostics })).toEqual([])
})
