// Content that somebody works on, by lot: what is written, moved and deleted is data, so that what fails can be shrunk.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import * as fc from 'fast-check'
import { pngOf } from './images.ts'

/** Few enough that changes meet. */
export const ARTICLE_SOURCES = [
  'a.md',
  'index.md',
  'guides/index.md',
  'guides/README.md',
  'guides/b.md',
  'guides/c.md',
  'guides/deep/d.md',
  'faq/caf\u00e9.md',
  'faq/e.md',
] as const

const IMAGES = ['img/one.png', 'img/two.png', 'guides/three.png'] as const
const SNIPPETS = ['_snippets/x.md', '_snippets/y.md', 'guides/c.md'] as const
const FOLDERS = ['guides', 'faq', 'guides/deep', 'moved', 'moved/deeper'] as const
const MISTAKES = ['yaml', 'key', 'half', 'empty', 'bytes', 'no-title', 'category'] as const

/** One article as somebody might write it. */
export interface WrittenArticle {
  readonly title: string
  readonly slug: string | undefined
  readonly status: 'draft' | 'published'
  readonly language: 'fr' | undefined
  readonly translationOf: string | undefined
  readonly category: string
  readonly tags: readonly string[]
  readonly headings: readonly string[]
  /** Sources, with a fragment or not. */
  readonly links: readonly string[]
  readonly image: string | undefined
  readonly snippet: string | undefined
  readonly text: number
  readonly mistake: (typeof MISTAKES)[number] | undefined
}

export type ContentChange =
  | { readonly kind: 'write'; readonly source: string; readonly article: WrittenArticle }
  /** A change of the text alone, as most are. */
  | { readonly kind: 'append'; readonly source: string; readonly text: number }
  /** A change of one thing that other articles depend on. */
  | { readonly kind: 'heading' | 'status'; readonly source: string; readonly text: string }
  | { readonly kind: 'same'; readonly source: string }
  | { readonly kind: 'delete'; readonly source: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'categories' | 'tags'; readonly text: string | undefined }
  | { readonly kind: 'snippet'; readonly source: string; readonly text: string | undefined }
  | { readonly kind: 'image'; readonly source: string; readonly bytes: number | undefined }

export interface ChangeOptions {
  /** Whether articles and taxonomy files may have errors of their own. */
  readonly mistakes: boolean
}

const article = ({ mistakes }: ChangeOptions): fc.Arbitrary<WrittenArticle> =>
  fc.record({
    title: fc.constantFrom('Alpha', 'Beta', 'Gamma: "delta"'),
    slug: seldom(fc.constantFrom('one', 'two', 'three')),
    status: fc.constantFrom('draft', 'published'),
    language: seldom(fc.constant('fr' as const)),
    translationOf: seldom(fc.constantFrom(...ARTICLE_SOURCES, 'one')),
    category: fc.constantFrom('guides', 'Guides', 'FAQ'),
    tags: fc.uniqueArray(fc.constantFrom('setup', 'Setup', 'set-up', 'billing'), { maxLength: 2 }),
    headings: fc.uniqueArray(fc.constantFrom('Details', 'Steps', 'Größe'), { maxLength: 2 }),
    links: fc.array(link, { maxLength: 3 }),
    image: maybe(fc.constantFrom(...IMAGES)),
    snippet: seldom(fc.constantFrom(...SNIPPETS)),
    text: fc.nat(5),
    mistake: mistakes ? seldom(fc.constantFrom(...MISTAKES)) : fc.constant(undefined),
  })

const link = fc
  .tuple(
    fc.constantFrom(...ARTICLE_SOURCES, 'guides/', 'moved/b.md', 'img/one.png', '_categories.yml#guides'),
    fc.constantFrom('', '', '#details', '#steps'),
  )
  .map(([source, fragment]) => (source.includes('#') ? source : `${source}${fragment}`))

function maybe<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof(value, fc.constant(undefined))
}

function seldom<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 1, arbitrary: value }, { weight: 5, arbitrary: fc.constant(undefined) })
}

const CATEGORIES =
  '- name: Guides\n  slug: guides\n- name: FAQ\n  slug: faq\n  longDescription: See [it](guides/b.md).\n'
const TAGS = '- name: setup\n- name: billing\n'

/** One change of the files. */
export function contentChange(options: ChangeOptions): fc.Arbitrary<ContentChange> {
  const source = fc.constantFrom(...ARTICLE_SOURCES)
  const path = fc.constantFrom(...ARTICLE_SOURCES, ...FOLDERS, ...IMAGES, '_snippets/x.md')
  const faulty = options.mistakes ? ['- name: [\n'] : []
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('write' as const), source, article: article(options) }),
    },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('append' as const), source, text: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('same' as const), source }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), source }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: path, to: path }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('categories' as const),
        text: fc.constantFrom(undefined, CATEGORIES, `${CATEGORIES}- name: New\n  slug: new\n`, ...faulty),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('tags' as const),
        text: fc.constantFrom(undefined, TAGS, `${TAGS}- name: Setup\n`, ...faulty),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('snippet' as const),
        source: fc.constantFrom('_snippets/x.md', '_snippets/y.md'),
        text: fc.constantFrom(
          undefined,
          'Some text.\n',
          '## Details\n\n[b](/guides/b.md)\n',
          '<!-- include: y.md -->\n',
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('image' as const),
        source: fc.constantFrom(...IMAGES),
        bytes: fc.constantFrom(undefined, 100, 101, 2000),
      }),
    },
  )
}

/** What every history begins with. */
export function startingContent(): ContentChange[] {
  const plain = (title: string, links: readonly string[]): WrittenArticle => ({
    title,
    slug: undefined,
    status: 'published',
    language: undefined,
    translationOf: undefined,
    category: 'Guides',
    tags: ['setup'],
    headings: ['Details'],
    links,
    image: 'img/one.png',
    snippet: undefined,
    text: 0,
    mistake: undefined,
  })
  return [
    { kind: 'categories', text: CATEGORIES },
    { kind: 'image', source: 'img/one.png', bytes: 100 },
    { kind: 'snippet', source: '_snippets/x.md', text: 'Some text.\n' },
    { kind: 'write', source: 'a.md', article: plain('Start', ['guides/b.md#details']) },
    { kind: 'write', source: 'index.md', article: plain('Home', ['guides/', '_categories.yml#guides']) },
    { kind: 'write', source: 'guides/index.md', article: plain('Guides', []) },
    { kind: 'write', source: 'guides/b.md', article: plain('Second', ['a.md', 'guides/c.md']) },
    { kind: 'write', source: 'guides/c.md', article: { ...plain('Third', []), snippet: '_snippets/x.md' } },
    { kind: 'write', source: 'guides/deep/d.md', article: plain('Fourth', ['faq/e.md']) },
    { kind: 'write', source: 'faq/e.md', article: { ...plain('Fifth', []), status: 'draft' } },
  ]
}

/** Makes a change below `root`, as far as it can be made there; tells the paths that it wrote. */
export function makeChange(root: string, change: ContentChange): string[] {
  try {
    return attempt(root, change)
  } catch (error) {
    // A folder in the place of a file, a file in the place of a folder: nothing happens, as in a file manager.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function attempt(root: string, change: ContentChange): string[] {
  switch (change.kind) {
    case 'write':
      return write(root, change.source, articleText(change.source, change.article))
    case 'append':
      return existsSync(join(root, change.source)) ? append(root, change.source, change.text) : []
    case 'heading':
      return reword(root, change.source, /^## .*$/m, `## ${change.text}`)
    case 'status':
      return reword(root, change.source, /^status: .*$/m, `status: ${change.text}`)
    case 'same':
      return existsSync(join(root, change.source))
        ? write(root, change.source, readFileSync(join(root, change.source)))
        : []
    case 'delete':
      rmSync(join(root, change.source), { force: true })
      return []
    case 'rename':
      return rename(root, change.from, change.to)
    case 'categories':
    case 'tags':
      return write(root, `_${change.kind}.yml`, change.text)
    case 'snippet':
      return write(root, change.source, change.text)
    case 'image':
      return write(root, change.source, change.bytes === undefined ? undefined : pngOf(change.bytes))
  }
}

/** An article at that path that has no mistake, whatever else there is. */
export function soundArticle(source: string): string {
  const slug = source.normalize('NFC').replaceAll(/[^\p{L}\d]+/gu, '-')
  return `---\ntitle: ${source}\nslug: sound-${slug}\ncategories: [Guides]\n---\n\nText.\n`
}

function write(root: string, source: string, content: string | Buffer | undefined): string[] {
  const file = join(root, source)
  if (content === undefined) {
    rmSync(file, { force: true })
    return []
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return [source]
}

function append(root: string, source: string, text: number): string[] {
  appendFileSync(join(root, source), `\nMore text, number ${text}.\n`)
  return [source]
}

function reword(root: string, source: string, former: RegExp, text: string): string[] {
  const file = join(root, source)
  return existsSync(file) ? write(root, source, readFileSync(file, 'utf8').replace(former, text)) : []
}

function rename(root: string, from: string, to: string): string[] {
  if (!existsSync(join(root, from)) || to.startsWith(`${from}/`) || from === to) return []
  mkdirSync(dirname(join(root, to)), { recursive: true })
  renameSync(join(root, from), join(root, to))
  return []
}

function articleText(source: string, written: WrittenArticle): string | Buffer {
  const { mistake } = written
  const text = [...frontmatterOf(written), '', ...bodyOf(source, written), ''].join('\n')
  if (mistake === 'empty') return ''
  if (mistake === 'bytes') return Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0x20])])
  return mistake === 'half' ? text.slice(0, 25) : text
}

function frontmatterOf(written: WrittenArticle): string[] {
  const { title, slug, status, language, translationOf, category, tags, mistake } = written
  return [
    '---',
    ...(mistake === 'no-title' ? [] : [`title: '${title}'`]),
    ...(slug === undefined ? [] : [`slug: ${slug}`]),
    `status: ${status}`,
    ...(language === undefined ? [] : [`language: ${language}`]),
    ...(translationOf === undefined ? [] : [`translationOf: ${translationOf}`]),
    `categories: [${mistake === 'category' ? 'Nowhere' : category}]`,
    ...(tags.length === 0 ? [] : [`tags: [${tags.join(', ')}]`]),
    ...(mistake === 'key' ? ['titel: No key'] : []),
    ...(mistake === 'yaml' ? ['order: [1'] : []),
    '---',
  ]
}

function bodyOf(source: string, { headings, links, image, snippet, text }: WrittenArticle): string[] {
  const from = posix.dirname(source)
  const way = (to: string) => encodeURI(posix.relative(from, to.replace(/#.*/, ''))) || '.'
  return [
    `Text number ${text}.`,
    ...headings.flatMap((heading) => ['', `## ${heading}`, '', 'Text.']),
    ...links.flatMap((to) => ['', `See [there](${way(to)}${/#.*/.exec(to)?.[0] ?? ''}).`]),
    ...(image === undefined ? [] : ['', `![A picture](${way(image)})`]),
    ...(snippet === undefined ? [] : ['', `<!-- include: /${snippet} -->`]),
  ]
}
