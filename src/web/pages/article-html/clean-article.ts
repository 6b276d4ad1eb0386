import { type Schema, sanitize } from 'hast-util-sanitize'
import type { Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { finishTree, type Finishing, type PageHeading } from './finish-tree.ts'
import { type ArticleLimits, parseArticle, SHOWN } from './parse-article.ts'

export interface CleanArticle {
  /** Safe to embed in a page. */
  readonly html: string
  /** Headings of the second and third level, in order. */
  readonly headings: readonly PageHeading[]
}

/** Maximum time for highlighting an article's code. */
const HIGHLIGHT_LIMIT_MS = 150

/** Highlights code in a tree, in place, within a time limit. */
export type HighlightCode = (tree: Root, limitMs: number) => void

/** Loads the code for highlighting, if an article has code in a known language. */
export async function loadHighlighter(html: string): Promise<HighlightCode | undefined> {
  if (!/class\s*=\s*["']?language-/i.test(html)) return undefined
  return (await import('../../../core/highlight-tree.ts')).highlightBriefly
}

/**
 * Sanitises an article's HTML and prepares it for a page. Undefined if it exceeds `limits` or is nested too deeply.
 */
export function cleanArticle(
  html: string,
  { highlight, ...finishing }: Finishing & { readonly highlight?: HighlightCode | undefined },
  limits: ArticleLimits = SHOWN,
): CleanArticle | undefined {
  const parsed = parseArticle(html, limits)
  if (parsed === undefined) return undefined
  const tree = sanitize(parsed, ARTICLE_SCHEMA) as Root
  highlight?.(tree, HIGHLIGHT_LIMIT_MS)
  const headings = finishTree(tree, finishing)
  const clean = toHtml(tree)
  // Escaped characters make it longer.
  return clean.length > SHOWN.characters ? undefined : { html: clean, headings }
}

const ARIA = ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy']

const TAGS = [
  'a abbr aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure',
  'h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span',
  'strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr audio track video',
]

// Elements whose content is not text for readers, or would become text if only the tags were removed.
const STRIPPED =
  'script style template iframe object embed noscript noembed noframes svg math title textarea select'.split(
    ' ',
  )

const BLOCK_CLASS = /^markdown-(?:alert(?:-[a-z]+)?|tab(?:-title)?)$/

// Classes of highlighted code. None can be one of our own.
const TOKEN_CLASS = /^(?!kb-)[a-z][\w-]*$/i

const ON_ALL = [
  'align alt cite clear colSpan compact dateTime dir headers height hrefLang id itemProp label lang noWrap open',
  'rowSpan scope span start title vAlign value width',
].flatMap((names) => names.split(' '))

const TABLE = ['border', 'cellPadding', 'cellSpacing', 'frame', 'rules', 'summary']

const MEDIA = ['controls', 'loop', 'muted', 'preload', 'src']

/**
 * The allowed HTML of an article: everything that our Markdown can produce, video and audio, and nothing else. The
 * service stores HTML from any client unchanged, so this assumes that it was never checked.
 * Attributes with styles, scripts or data are not allowed, nor names, which would become properties of `document`. URLs
 * have only schemes that execute nothing.
 */
const ARTICLE_SCHEMA: Schema = {
  tagNames: TAGS.flatMap((names) => names.split(' ')),
  strip: STRIPPED,
  ancestors: {
    caption: ['table'],
    col: ['table'],
    colgroup: ['table'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
    source: ['picture', 'audio', 'video'],
    track: ['audio', 'video'],
  },
  attributes: {
    '*': ON_ALL,
    a: [
      ...ARIA,
      'dataFootnoteBackref',
      'dataFootnoteRef',
      ['className', 'data-footnote-backref'],
      'href',
      'name',
      ['target', '_blank'],
    ],
    audio: MEDIA,
    code: [['className', /^language-./]],
    div: [['className', BLOCK_CLASS]],
    dl: ARIA,
    h2: [['className', 'sr-only']],
    img: [...ARIA, 'border', 'hSpace', ['loading', 'lazy', 'eager'], 'sizes', 'src', 'srcSet', 'vSpace'],
    input: ['checked', ['type', 'checkbox']],
    li: [['className', 'task-list-item']],
    ol: [...ARIA, ['className', 'contains-task-list'], 'reversed', 'type'],
    p: [['className', BLOCK_CLASS]],
    section: ['dataFootnotes', ['className', 'footnotes']],
    source: ['media', 'sizes', 'src', 'srcSet', 'type'],
    span: [['className', TOKEN_CLASS]],
    summary: ARIA,
    table: [...ARIA, ...TABLE],
    td: ['abbr', 'char', 'charOff'],
    th: ['abbr', 'char', 'charOff'],
    track: ['default', 'kind', 'label', 'src', 'srcLang'],
    ul: [...ARIA, ['className', 'contains-task-list'], 'type'],
    video: [...MEDIA, 'playsInline', 'poster'],
  },
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel', 'sms', 'xmpp', 'irc', 'ircs'],
    poster: ['http', 'https'],
    // With `data:`, only images are kept.
    src: ['http', 'https', 'data'],
  },
  // Missing keys would be taken from the package's default schema.
  required: {},
  // Links to headings and footnotes need the unchanged ids.
  clobber: [],
  clobberPrefix: '',
}
