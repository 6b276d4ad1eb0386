// Random trees with random links and random moves: the rendering stays byte-identical.
import { dirname, posix } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveSource } from '../../src/authoring/move/move-source.ts'
import { type LoadedFolder, loadFolder, contentFolder, type Files } from '../content/load-files.ts'
import { png } from '../support/images.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { settingsOf } from './authoring-project.ts'

const RUNS = readRuns('HISTORIES', 40)

const FOLDERS = ['', 'a', 'a/b', 'a/a', 'ü', 'c d', 'fr/a']
const ARTICLES = [
  'x.md',
  'y.md',
  'index.md',
  'README.md',
  'u\u0308.md',
  'c#.md',
  '50%.md',
  'p(1).md',
  'a.md',
  '日本.md',
]
const IMAGES = ['pic.png', 'b c.png', '(.png']

/** Paths to which nothing is moved. */
const OTHERS = ['gone.md', 'a/gone.md', '_categories.yml', '_categories.yml#guides']

const inFolder = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...names))
    .map(([folder, name]) => posix.join(folder, name))
const articlePath = inFolder(ARTICLES)
const imagePath = inFolder(IMAGES)
const snippetPath = fc.constantFrom('_s/one.md', '_s/deep/two.md', 'a/_three.md', 'four.txt')
/** A link as an author may write it. `to` chooses its target, which is sometimes missing. */
const link = fc.record({
  to: fc.nat(),
  style: fc.constantFrom(
    'bare',
    'angle',
    'image',
    'definition',
    'html',
    'srcset',
    'include',
    'root',
    'entity',
    'cell',
  ),
  spelling: fc.constantFrom('plain', 'encoded', 'dot', 'nfd', 'slash'),
  suffix: fc.constantFrom('', '', '#one', '?a=b#one', '?q'),
})
type Link = typeof link extends fc.Arbitrary<infer Value> ? Value : never

function written(from: string, to: string, { style, spelling, suffix }: Link, index: number): string {
  const relative = posix.relative(posix.dirname(from), to === '' ? '.' : to) || '.'
  const form = spelling === 'nfd' ? relative.normalize('NFD') : relative
  const slash = spelling === 'slash' && !/\.\w+$/.test(form) ? `${form}/` : form
  const dotted = spelling === 'dot' && !slash.startsWith('.') ? `./${slash}` : slash
  const safe = dotted.replace(/[%#?() ]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  const path =
    spelling === 'encoded'
      ? encodeURI(dotted).replace(/[#?()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
      : safe
  const address = `${path}${suffix}`
  switch (style) {
    case 'bare':
      return `[text](${address})`
    case 'angle':
      return `[text](<${spelling === 'encoded' ? address : dotted.replace(/[%#?]/g, encodeURIComponent) + suffix}> "title")`
    case 'image':
      return `![alt](${path})`
    case 'definition':
      return `[text][r${index}]\n\n[r${index}]: ${address} 'title'`
    case 'html':
      return `<a class="x" href='${address.replace('&', '&amp;')}'>text</a>`
    case 'srcset':
      return `<img alt="x" src="${path}" srcset="${path} 1x, ${path} 2x">`
    case 'include':
      return `<!-- include: ${spelling === 'slash' ? `/${to}` : dotted} -->`
    case 'root':
      return `[text](/${to.replace(/[%#?() ]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}${suffix})`
    case 'entity':
      return `> [text](${path.replaceAll('.', '&#46;')}${suffix})`
    case 'cell':
      return `| a |\n|---|\n| [text](${address}) |`
  }
}

const tree = fc
  .record({
    articles: fc.uniqueArray(articlePath, {
      minLength: 2,
      maxLength: 7,
      selector: (path) => path.normalize('NFC'),
    }),
    images: fc.uniqueArray(imagePath, { maxLength: 2 }),
    snippets: fc.uniqueArray(snippetPath, { maxLength: 2 }),
    links: fc.array(fc.tuple(fc.nat(), link), { maxLength: 14 }),
    eol: fc.constantFrom('\n', '\r\n'),
    hasSlugs: fc.boolean(),
  })
  .map(({ articles, images, snippets, links, eol, hasSlugs }): Files => {
    const texts = [...articles, ...snippets]
    const bodies = new Map(texts.map((source) => [source, ['# One']]))
    const sources = [...texts, ...images]
    const targets = [
      ...sources,
      ...sources,
      ...new Set(sources.map((source) => posix.dirname(source))),
      ...OTHERS,
    ]
    links.forEach(([nth, each], index) => {
      const from = texts[nth % texts.length] ?? ''
      bodies.get(from)?.push(written(from, targets[each.to % targets.length] ?? '', each, index))
    })
    const files = [...bodies].map(([source, blocks], index) => {
      const slug = hasSlugs || /[# ]/.test(source) ? `slug: s${index}\n` : ''
      const isArticle = articles.includes(source)
      const head = isArticle ? `---\ntitle: T${index}\n${slug}categories: [guides]\n---\n` : ''
      return [source, `${head}${blocks.join('\n\n')}\n`.replaceAll('\n', eol)]
    })
    return {
      ...Object.fromEntries(images.map((source) => [source, png(source)])),
      ...(Object.fromEntries(files) as Files),
      '_categories.yml': '- name: Guides\n  slug: guides\n',
    }
  })

const move = fc.record({
  what: fc.nat(),
  isFolder: fc.boolean(),
  to: fc.oneof(articlePath, imagePath, fc.constantFrom('new', 'a/new', 'ü/new/deep', 'new/', 'a/', 'b c/')),
})

function chooseOld(
  files: Files,
  { what, isFolder }: { readonly what: number; readonly isFolder: boolean },
): string {
  const sources = Object.keys(files).filter((source) => source !== '_categories.yml')
  const folders = [...new Set(sources.map((source) => dirname(source)).filter((folder) => folder !== '.'))]
  const from = isFolder && folders.length > 0 ? folders : sources
  return from[what % from.length] ?? ''
}

/** Returns what a reader sees and what a check finds, by the final paths of the files. */
function outcomeOf({ html, diagnostics }: LoadedFolder, pathAfter: (source: string) => string) {
  return {
    html: Object.fromEntries(
      Object.entries(html).map(([source, text]) => [pathAfter(source), withoutBroken(text)] as const),
    ),
    // For a missing image, diagnostics only depend on its name.
    diagnostics: [
      ...new Set(
        diagnostics.map(({ code, file }) => `${code.replace(/^asset-.*/, 'asset')} ${pathAfter(file)}`),
      ),
    ].toSorted(),
  }
}

/** A broken relative URL is rendered as written, which has another meaning in another folder. */
function withoutBroken(html: string): string {
  return html.replaceAll(/(href|src|srcset)="(?!\/en\/|data:)[^"]*"/g, '$1')
}

test('a move changes neither the rendering nor the diagnostics', timeoutOf(RUNS, 1000), async () => {
  let moved = 0
  await fc.assert(
    fc.asyncProperty(tree, move, fc.boolean(), async (files, wanted, staysThere) => {
      const root = contentFolder(files)
      const settings = settingsOf(root, { content: '.' })
      const from = chooseOld(files, wanted)
      // The kind of a file depends on its extension.
      fc.pre(wanted.to.endsWith('/') || posix.extname(from) === posix.extname(wanted.to))
      const before = await loadFolder(root)
      const run = () => moveSource({ settings, cwd: root, from, to: wanted.to })
      const result = await run().catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'KbError', code: 'USAGE' })
      })
      if (result === undefined || result.left.length > 0) return
      // A link to a folder without a page is fixed by a page that is moved there.
      const isPage = /(?:^|\/)(?:index|README)\.md$/.test(result.to)
      fc.pre(!isPage || !before.diagnostics.some(({ code }) => code === 'link-file-missing'))
      moved++
      const pathAfter = (source: string) =>
        source === result.from || source.startsWith(`${result.from}/`)
          ? `${result.to}${source.slice(result.from.length)}`
          : source
      expect({ ...outcomeOf(await loadFolder(root), (source) => source), files, result }).toEqual({
        ...outcomeOf(before, pathAfter),
        files,
        result,
      })
      if (staysThere) return
      // There is nothing left to do, and moving back restores the original state.
      const back = await moveSource({ settings, cwd: root, from: result.to, to: result.from })
      expect(outcomeOf(await loadFolder(root), (source) => source)).toEqual(
        outcomeOf(before, (source) => source),
      )
      expect(back.moved).toBe(result.moved)
    }),
    RUNS,
  )
  expect(moved).toBeGreaterThan(RUNS.numRuns / 4)
})
