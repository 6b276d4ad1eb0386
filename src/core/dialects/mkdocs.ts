import type { Dialect } from './dialect.ts'
import { blockEdits, blockRanges } from './python-blocks.ts'
import { anyOf, END, LINE } from './syntax-signs.ts'
import { wrap, type FencedLine, replace, type LineEdit, replaceInLines, sizedImage } from './text-lines.ts'
import { MARKDOWN_IN_HTML } from './jekyll-gitbook.ts'
import { HEADED_DEFAULTS, splitLanguageSuffix } from './usual.ts'

const ADMONITIONS =
  'abstract|attention|bug|caution|check|cite|danger|done|error|example|fail|failure|faq|help|hint|important|info|missing|' +
  'note|question|quote|snippet|success|summary|tip|tldr|todo|warning'
const BLOCKS = `${ADMONITIONS}|admonition|caption|define|details|figure-caption|html|tab|table-caption`
const KEYS =
  'alt|arrow-(?:down|left|right|up)|backspace|cmd|command|control|ctrl|delete|end|enter|esc|escape|f\\d\\d?|home|insert|meta|' +
  'option|page-(?:down|up)|shift|space|super|tab|win|windows'

const MKDOCS_SIGN = { tool: 'syntax of MkDocs', hint: "Set preset: 'mkdocs', or write it in Markdown." }

export const mkdocs: Dialect = {
  label: 'MkDocs',
  defaults: { ...HEADED_DEFAULTS, content: 'docs' },
  frontmatter: {
    // The landing page of Material, whose text is in the template.
    isPage: ({ template }) => template === 'home.html',
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      // Material shows `new` and `deprecated` in the navigation.
      { field: 'status', key: 'status', reading: 'status' },
      { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
    ],
  },
  paths: {
    endings: ['.md'],
    splitLanguage: splitLanguageSuffix,
    isIndex: (name) => name === 'index' || name === 'README',
    routePart: (name) => name,
    addressesFrom: 'root',
  },
  folders: {},
  links: {
    indexFiles: ['index.md', 'README.md'],
    // A file path is relative to the folder, a URL to the page.
    begin: 'folder-or-page',
    // Raw HTML is output unchanged, so its URLs are relative to the page.
    reachPageFiles: true,
    beginAtIncluder: true,
  },
  text: {
    showsHeadingOnly: true,
    syntax: ['containers', 'attributes', 'definitions', 'marked-snippets'],
    rewrite: (_, lines) => {
      const autodocs = findAutodocs(lines)
      const rest = lines.map((line): FencedLine => {
        const isAutodoc = autodocs.some(({ from, to }) => from <= line.at && line.at <= to)
        return isAutodoc ? { ...line, kind: 'code' } : line
      })
      return [
        ...autodocs,
        ...blockEdits(rest, readOpener),
        ...codeInfos(rest),
        ...replaceInLines(
          rest.filter(({ text: line }) => readOpener(line.trim(), []) === undefined),
          INLINE,
        ),
      ]
    },
    lineRanges: (lines) => blockRanges(lines, readOpener),
    readAttributes: (text) => (WHOLE_LIST.test(text) ? { id: idIn(text) } : undefined),
    writeAlert: (kind, title, content) => {
      const name = kind === 'caution' ? 'danger' : kind
      const shown = title === '' || title.toLowerCase() === name ? '' : ` "${title}"`
      return [`!!! ${name}${shown}`, '', ...content.map((line) => (line === '' ? '' : `    ${line}`))]
    },
    headingId: (words) =>
      words
        .normalize('NFC')
        .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
        .trim()
        .toLowerCase()
        .replaceAll(/[-\s]+/g, '-'),
    ownSyntax:
      /^[ \t]*(?:!!!|\?\?\?\+?)[ \t]*[\w -]*|^[ \t]*={3}(?=[ \t+!])|^[ \t]*\/{3,}[ \t]*[a-z][^\n]*|\{:?[ \t]*(?:[.#]|[\w-]+=)[^{}\n]*\}|(?<!\w):(?:fontawesome|material|octicons|simple)-[a-z\d-]+:|\+\+[\w"+-]+\+\+|<!--[^]{0,2000}?-->/gm,
  },
  signs: [
    {
      ...MKDOCS_SIGN,
      pattern: anyOf(
        String.raw`${LINE}(?:!!!|\?\?\?\+?)[ \t]+(?:(?:${ADMONITIONS})\b.*|[a-z][\w -]*"[^"\n]*")`,
        String.raw`${LINE}===[!+]?[ \t]+"[^"\n]+"`,
        String.raw`${LINE}-{1,2}8<-{1,2}(?=[ \t]+["'].*$|$)(?:[ \t]+["'].*)?`,
        String.raw`${LINE}\/{3,}[ \t]+(?:${BLOCKS})[ \t]*(?:\|.*)?$`,
        String.raw`${LINE}\[TOC\]${END}`,
        String.raw`${LINE}:::[ \t]+[A-Za-z_]\w*(?:\.\w+)+${END}`,
        String.raw`(?<!\w):(?:fontawesome|material|octicons|simple)-[a-z\d-]+:`,
        String.raw`\{[ \t]*\.md-[\w-]+[^{}\n]*\}`,
      ),
      contains: [
        '!!!',
        '???',
        '===',
        '8<',
        '///',
        '[TOC]',
        ':::',
        '.md-',
        ':fontawesome-',
        ':material-',
        ':octicons-',
        ':simple-',
      ],
    },
    {
      ...MKDOCS_SIGN,
      pattern: anyOf(String.raw`(?<![\w+])\+\+(?:(?:${KEYS})|[\w"-]{1,40}(?:\+[\w"-]{1,40})+)\+\+(?![\w+])`),
      contains: ['++'],
    },
  ],
  loadSite: async () => (await import('./mkdocs-site.ts')).mkdocsSite,
}

const ADMONITION = /^(!!!|\?\?\?\+?)[ \t]*([\w-]+(?:[ \t]+[\w-]+)*)?(?:[ \t]+"(.*)"|[ \t]*"(.+)")?[ \t]*$/
const TAB = /^={3}[+!]{0,2}[ \t]+"(.*)"[ \t]*$/

/** Maps the tool's names to GitHub alerts. All other names become notes. */
const KINDS: Readonly<Record<string, string>> = {
  tip: 'tip',
  hint: 'tip',
  important: 'important',
  success: 'tip',
  check: 'tip',
  done: 'tip',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  failure: 'danger',
  fail: 'danger',
  missing: 'danger',
  danger: 'danger',
  error: 'danger',
  bug: 'danger',
}

function readOpener(line: string, options: readonly string[]) {
  if (line.startsWith('///')) return readFenced(line, options)
  if (!/^(?:!!!|\?\?\?|===)/.test(line)) return undefined
  const tab = TAB.exec(line)?.[1]
  if (tab !== undefined) return { container: 'tab', title: withoutIcons(tab) }
  const [match, mark = '', names, behind, alone] = ADMONITION.exec(line) ?? []
  const written = behind ?? alone
  if (match === undefined || (names ?? written) === undefined) return undefined
  const [name = 'note'] = names?.split(/[ \t]/) ?? []
  const title = withoutIcons(written ?? usualTitle(name))
  if (mark !== '!!!') return { container: 'details', title, isOpen: mark.endsWith('+') }
  return { container: kindOf(name), title }
}

function usualTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}

function kindOf(name: string): string {
  return (Object.hasOwn(KINDS, name.toLowerCase()) ? KINDS[name.toLowerCase()] : undefined) ?? 'note'
}

const FENCED = /^(\/{3,})[ \t]*([a-z][\w-]*)[ \t]*(?:\|(.*))?$/
const ALERT = new RegExp(`^(?:${ADMONITIONS}|admonition)$`)
const PLAIN_BLOCK = /^(?:(?:figure-|table-)?caption|define|html)$/

/** Parses `/// note | Title`. The block ends at the next line with the same number of slashes. */
function readFenced(line: string, options: readonly string[]) {
  const [, fence, name = '', written = ''] = FENCED.exec(line) ?? []
  const option = (key: string) =>
    options
      .find((each) => each.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim()
  const title = withoutIcons(written)
  if (fence === undefined) return undefined
  if (name === 'tab') return { container: name, title, fence }
  if (PLAIN_BLOCK.test(name)) return { container: undefined, title: '', fence }
  const type = option('type') ?? (name === 'admonition' ? 'note' : name)
  const shown = title === '' ? usualTitle(type) : title
  if (name === 'details') return { container: name, title: shown, isOpen: option('open') === 'true', fence }
  return ALERT.test(name) ? { container: kindOf(type), title: shown, fence } : undefined
}

const ICON = /(?<![\w:]):(?:fontawesome|material|octicons|simple)-[a-z\d-]+:(?:\{[^{}\n]*\})?/g

/** Replaces icons for yes or no in a table with characters. */
function iconWord(icon: string): string {
  const [, name = ''] = /-(check|close|x)(?![a-z])/.exec(icon) ?? []
  return name === '' ? '' : name === 'check' ? '✓' : '✗'
}

function startOfItem(match: RegExpExecArray): LineEdit[] {
  const word = iconWord(match[0].trim())
  return replace(match, word === '' ? '' : `${word} `)
}

function withoutIcons(title: string): string {
  return title.replaceAll(ICON, iconWord).trim()
}

// A single word is an attribute, too.
const ONE = String.raw`(?:[.#][\w:.-]+|[\w:-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+)|[A-Za-z_][\w:.-]*)`
const ATTRIBUTES = String.raw`\{:?[ \t]*${ONE}(?:[ \t]+${ONE})*[ \t]*\}`
const WHOLE_LIST = new RegExp(String.raw`^${ATTRIBUTES}[ \t]*$`)
/** Matches the end of a link, an image, code or another inline element, but not of HTML. */
const ELEMENT_END = String.raw`\]\([^\n]{0,1000}\)|[\]\`*_]|<[a-z]+:[^\s<>]{1,1000}>`
const KEY_NAMES = /^(?:cmd|ctrl|del|esc|ins)$/

/** `;--8<--` displays the syntax instead of including a file. */
const SHOWN_SNIPPET = /(?<=^[ \t]*);(?=;*-+8<-)/g

const INLINE: Parameters<typeof replaceInLines>[1] = [
  // A link that is only an icon is named by its title.
  [
    new RegExp(
      String.raw`(?<=\[)(?:${ICON.source}[ \t]*)+(?=\]\([^()\s"]+(?:[ \t]+"([^"\n]+)")?\)(${ATTRIBUTES})?)`,
      'g',
    ),
    nameOfIcon,
  ],
  // More space after a list marker would indent the content of the item further than the lines below.
  [new RegExp(String.raw`(?<=^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+)${ICON.source}[ \t]+`, 'g'), startOfItem],
  // White space inside of its marks would end emphasis.
  [
    new RegExp(
      String.raw`(?<=(?<![\w*_])[*_]{1,3})${ICON.source}[ \t]+|[ \t]+${ICON.source}(?=[*_]{1,3}(?![\w*_]))`,
      'g',
    ),
    (match) => (iconWord(match[0].trim()) === '' ? replace(match, '') : undefined),
  ],
  [ICON, (match) => replace(match, iconWord(match[0]))],
  [new RegExp(String.raw`!\[([^[\]\\*\`<&\n]*)\]\(([^()\s"]+)\)(?=(${ATTRIBUTES}))`, 'g'), imageOfWidth],
  // Attributes of a heading, and attributes on their own line, do not follow an element.
  [new RegExp(`(?<=${ELEMENT_END})${ATTRIBUTES}`, 'g'), (match) => replace(match, anchorOf(match[0]))],
  [/\{\+\+[^{}\n]+\+\+\}/g, (match) => wrap(match, 3, 'ins')],
  [/\{--[^{}\n]+--\}/g, (match) => wrap(match, 3, 'del')],
  [/\{==[^{}\n]+==\}/g, (match) => wrap(match, 3, 'mark')],
  [
    /(?<![\w+{])\+\+([\w"-]+(?:\+[\w"-]+)*)\+\+(?![\w+}])/g,
    (match) => replace(match, keysOf(match[1] ?? '')),
  ],
  [/(?<![=\w])==(?![=\s])[^=\n]+(?<!\s)==(?![=\w])/g, (match) => wrap(match, 2, 'mark')],
  [/(?<!\^)\^\^(?![\^\s])[^^\n]+(?<!\s)\^\^(?!\^)/g, (match) => wrap(match, 2, 'ins')],
  [/(?<=\w)\^(?![\^\s])[^\s^]+\^(?!\^)/g, (match) => wrap(match, 1, 'sup')],
  [/(?<=\w)~(?![~\s])[^\s~]+~(?!~)/g, (match) => wrap(match, 1, 'sub')],
  [/^[ \t>]*\[TOC\][ \t]*$/g, (match) => replace(match, '')],
  [
    /^[ \t>]*-+8<-+(?:[ \t]+["'](.*)["'])?[ \t]*$/g,
    (match) => [
      removed(match, {
        message: `The snippet ${match[1] ?? match[0].trim()} was not included.`,
        hint: 'kb-sync includes files in the content folder, a range of their lines, or a section.',
      }),
    ],
  ],
  [SHOWN_SNIPPET, (match) => replace(match, '')],
  [
    /^\*\[([^\]\n]+)\]:[ \t].*$/g,
    (match) => [
      removed(match, {
        message: `The abbreviation of ${match[1] ?? ''} was removed.`,
        hint: 'Write out the term where readers see it first.',
      }),
    ],
  ],
  ...MARKDOWN_IN_HTML,
]

/** Finds `::: package.module` of mkdocstrings, which documents code, with its indented options. */
function findAutodocs(lines: readonly FencedLine[]): LineEdit[] {
  return lines.flatMap(({ kind, text, at }, first) => {
    const name = kind === 'text' ? /^:::[ \t]+([A-Za-z_]\w*(?:\.\w+)+)[ \t]*$/.exec(text)?.[1] : undefined
    if (name === undefined) return []
    let last = first
    while (/^(?: {4}|\t)/.test(lines[last + 1]?.text ?? '')) last++
    const { at: end, text: final } = lines[last] as FencedLine
    const message = `The documentation of ${name} was not inserted, because kb-sync runs no code.`
    const hint = 'Write the text itself, or link to the page that has it.'
    return [{ from: at, to: end + final.length, text: '', removed: { message, hint } }]
  })
}

function removed({ 0: whole, index }: RegExpExecArray, problem: NonNullable<LineEdit['removed']>): LineEdit {
  return { from: index, to: index + whole.length, text: '', removed: problem }
}

function nameOfIcon(match: RegExpExecArray): LineEdit[] | undefined {
  const [, title, list = ''] = match
  const [, quoted, bare] = /(?<=[{:\s])title=(?:["']([^"'\n]+)["']|([^\s{}"']+))/.exec(list) ?? []
  const words = title ?? quoted ?? bare
  return words === undefined ? undefined : replace(match, words.replaceAll(/[[\]]/g, String.raw`\$&`))
}

function imageOfWidth(match: RegExpExecArray): LineEdit[] | undefined {
  const [, words = '', url = '', list = ''] = match
  const [, width] = /(?<=[{:\s])width=["']?(\d+)(?:px)?["']?(?=[\s}])/.exec(list) ?? []
  return width === undefined ? undefined : replace(match, sizedImage(words, url, width))
}

/** Keeps only the attributes that readers need: the id, and the width of an image. */
function anchorOf(attributes: string): string {
  const id = idIn(attributes)
  return id === undefined ? '' : `<a id="${id}"></a>`
}

function idIn(attributes: string): string | undefined {
  return /[{: \t](?:#|id=["']?)([\w:.-]+)/.exec(attributes)?.[1]
}

function keysOf(keys: string): string {
  return keys
    .split('+')
    .map((key) => {
      const name = key.replaceAll('"', '').replaceAll('-', ' ')
      const shown =
        KEY_NAMES.test(name) || name.length > 1
          ? name.charAt(0).toUpperCase() + name.slice(1)
          : name.toUpperCase()
      return `<kbd>${shown}</kbd>`
    })
    .join('+')
}

/** Rewrites ` ``` { .py .annotate title="x" }` as ` ``` py title="x"`; removes the language name from inline code. */
function codeInfos(lines: readonly FencedLine[]): LineEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    if (kind === 'text') return withoutMatches(text, at, /(?<=(?<!`)`)#!\w+[ \t]+/g)
    if (kind === 'code') return withoutMatches(text, at, SHOWN_SNIPPET)
    const match =
      kind === 'open' ? /(?<=[`~]{3})[ \t]*\{[ \t]*(?:\.([\w+#-]+))?(.*)\}[ \t]*$/.exec(text) : null
    if (match === null) return []
    const [, language = '', rest = ''] = match
    return [{ from: at + match.index, to: at + text.length, text: ` ${language}${rest}`.trimEnd() }]
  })
}

function withoutMatches(text: string, at: number, pattern: RegExp): LineEdit[] {
  return [...text.matchAll(pattern)].map(({ 0: mark, index }) => ({
    from: at + index,
    to: at + index + mark.length,
    text: '',
  }))
}
