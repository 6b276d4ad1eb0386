import type { Dialect } from './dialect.ts'
import { anyOf } from './syntax-signs.ts'
import {
  wrap,
  findInlineCode,
  type FencedLine,
  replace,
  type LineEdit,
  replaceInLines,
  sizedImage,
} from './text-lines.ts'
import { splitLanguageFolder, USUAL_DEFAULTS } from './usual.ts'

export const obsidian: Dialect = {
  label: 'Obsidian',
  // The title of a note is its file name, so its headings can start at any level.
  defaults: {
    ...USUAL_DEFAULTS,
    content: '.',
    rules: { ...USUAL_DEFAULTS.rules, 'heading-second-h1': 'off', 'heading-skipped': 'off' },
  },
  frontmatter: {
    // Alternative names of a note, which links use.
    foreignKeys: ['aliases'],
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'slug', key: 'permalink', reading: 'address', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      { field: 'status', key: 'publish', reading: 'published', isWritten: true },
      { field: 'status', key: 'published', reading: 'published' },
      { field: 'status', key: 'status', reading: 'status' },
      { field: 'status', key: 'draft', reading: 'draft' },
      { field: 'seoBannerUrl', key: 'image', reading: 'image', isWritten: true },
      { field: 'seoBannerUrl', key: 'cover', reading: 'image' },
    ],
  },
  paths: {
    endings: ['.md'],
    splitLanguage: splitLanguageFolder,
    // The folder note, as in common plugins.
    isIndex: (name, folder) => name === folder,
    routePart: (name) => name.toLowerCase().replaceAll(/\s+/g, '-'),
    addressesFrom: 'root',
  },
  folders: {},
  links: {
    indexFiles: [],
    begin: 'folder',
    alternatives: (path) => [{ from: 'root', path }],
    ignoreCase: true,
    areFoundByName: 'first',
    reachPageFiles: true,
  },
  text: {
    syntax: ['titled-quotes', 'embeds'],
    titleStartsText: true,
    rewrite: (_, lines) => {
      const hidden = comments(lines)
      const isShown = ({ from, to }: LineEdit) => !hidden.some((each) => from < each.to && each.from < to)
      return [...hidden, ...replaceInLines(lines, INLINE).filter(isShown)]
    },
    linkPath: /(?<!\\)!?\[\[([^[\]|#^\n\\]+)(?=[^[\]\n]*\]\])/g,
    ownSyntax: /!\[\[[^[\]\n]+\]\]|%%[^]{0,2000}?%%|(?<=\s|\]\])\^[A-Za-z\d-]+$/gm,
  },
  signs: [
    {
      tool: 'an embed or a link of Obsidian',
      // A bare name in brackets may mean anything.
      pattern: anyOf(
        String.raw`(?<!\\)!\[\[[^[\]\n]+\]\](?![(\[])`,
        String.raw`(?<!\\)\[\[[^[\]|\n]+\|[^[\]\n]+\]\](?![(\[])`,
      ),
      contains: ['[['],
      hint: "Set preset: 'obsidian', or write it in Markdown.",
    },
  ],
  loadSite: async () => (await import('./obsidian-site.ts')).obsidianSite,
}

const LINK = /(?<!\\)(!?)\[\[([^[\]|#\n\\]*)(#[^[\]|\n\\]*)?(?:\\?\|([^[\]\n]*))?\]\]/g
const IMAGE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i
const MEDIA = /\.(?:3gp|flac|m4a|mkv|mov|mp3|mp4|ogg|ogv|opus|pdf|wav|webm)$/i

const INLINE: Parameters<typeof replaceInLines>[1] = [
  [LINK, readLink],
  [/(?<![=\w])==(?![=\s])[^=\n]+(?<!\s)==(?![=\w])/g, (match) => wrap(match, 2, 'mark')],
  // The id of a block, for links from other notes.
  [/(?:^|(?<=\s|\]\]))\^[A-Za-z\d-]+[ \t]*$/g, (match) => replace(match, '')],
]

function readLink(match: RegExpExecArray): LineEdit[] | undefined {
  const [, mark = '', name = '', part = '', alias] = match
  const path = name.trim()
  if (path === '' && part === '') return undefined
  if (mark !== '' && IMAGE.test(path)) return replace(match, imageOf(path, alias?.trim() ?? ''))
  if (mark === '' || MEDIA.test(path)) return linkTo(match, path, part, alias)
  const { index } = match
  return [
    {
      from: index,
      to: index + match[0].length,
      text: linkTo(match, path, part, alias)
        .map(({ text }) => text)
        .join(''),
      removed: {
        message: `The embedded note ${match[0]} was replaced with a link to it.`,
        hint: 'To show its text, embed the note on a line of its own.',
      },
    },
  ]
}

const SIZE = /^(\d+)(?:x\d+)?$/

function imageOf(path: string, alias: string): string {
  const [size = '', width] = SIZE.exec(alias) ?? []
  const words = alias === size ? path.replace(/^.*\//, '').replace(/\.[^.]+$/, '') : alias
  return width === undefined ? `![${words}](${encoded(path)})` : sizedImage(words, encoded(path), width)
}

/**
 * Puts the path and the heading into the URL where they are written, so that their range is kept.
 *
 * @param part `#Heading`, `#Heading#Below it` or `#^block`, which has no anchor
 */
function linkTo(match: RegExpExecArray, path: string, part: string, alias: string | undefined): LineEdit[] {
  const headings = part.split('#').filter((each) => each !== '' && !each.startsWith('^'))
  const words = alias?.trim() ?? ''
  const shown = [path, ...headings].filter((each) => each !== '').join(' > ')
  const heading = headings.at(-1)
  const fragment = heading === undefined ? '' : `#${encodeURI(headingId(heading))}`
  if (path === '' && fragment === '') return replace(match, words)
  const { 0: whole, index } = match
  const at = index + whole.indexOf(path, whole.indexOf('[[') + 2)
  const behind = index + whole.indexOf(part, at - index + path.length)
  const end = path === '' ? behind : at + path.length
  return [
    { from: index, to: end - path.length, text: `[${words === '' ? shown : words}](` },
    { from: end - path.length, to: end, text: encoded(path) },
    { from: end, to: behind + part.length, text: fragment },
    { from: behind + part.length, to: index + whole.length, text: ')' },
  ].filter(({ from, to }) => from < to)
}

function encoded(path: string): string {
  return encodeURI(path).replaceAll(/[()?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** Creates ids as on GitHub. Links contain the text of a heading, without characters not allowed in links. */
function headingId(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Removes `%% hidden %%` comments, which may span lines. */
function comments(lines: readonly FencedLine[]): LineEdit[] {
  const edits: LineEdit[] = []
  let from: number | undefined
  for (const { kind, text, at } of lines) {
    if (kind !== 'text' || !text.includes('%%')) continue
    const isCode = findInlineCode(text)
    for (const { index } of text.matchAll(/%%/g)) {
      if (from === undefined && isCode(index)) continue
      if (from === undefined) from = at + index
      else {
        edits.push({ from, to: at + index + 2, text: '' })
        from = undefined
      }
    }
  }
  return edits
}
