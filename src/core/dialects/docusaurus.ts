import { numberOf, withoutNumber } from '../numbered-name.ts'
import type { TextEdit } from '../text-edits.ts'
import type { Dialect } from './dialect.ts'
import { HEADED_DEFAULTS } from './usual.ts'
import { anyOf, LINE } from './syntax-signs.ts'
import { containerLine, type FencedLine, findInlineCode } from './text-lines.ts'

// Translations are in a separate folder, named after the plugin of the originals.
const I18N = /^i18n\/([^/]+)\/docusaurus-plugin-content-(docs)(?:-([^/]+))?\/(?:current|version-[^/]+)\/(.+)$/

const MDX_SIGN = {
  tool: 'MDX, as Docusaurus has it,',
  hint: "Set preset: 'docusaurus', which reads MDX, or take the file out with exclude.",
  ending: '.mdx',
}

export const docusaurus: Dialect = {
  label: 'Docusaurus',
  defaults: { ...HEADED_DEFAULTS, content: 'docs', include: ['**/*.md', '**/*.mdx'] },
  frontmatter: {
    navigationKey: 'id',
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'slug', key: 'slug', reading: 'address', isWritten: true },
      { field: 'slug', key: 'id', reading: 'name' },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
      { field: 'order', key: 'sidebar_position', reading: 'number', isWritten: true },
      { field: 'hideFromSearch', key: 'unlisted', reading: 'flag' },
      { field: 'seoBannerUrl', key: 'image', reading: 'image', isWritten: true },
    ],
  },
  paths: {
    endings: ['.md', '.mdx'],
    splitLanguage: (source) => {
      const [, language, docs, id, path] = I18N.exec(source) ?? []
      return { language, path: path === undefined ? source : `${id ?? docs}/${path}` }
    },
    isIndex: (written, folder) => {
      const name = withoutNumber(written).toLowerCase()
      return ['index', 'readme', folder && withoutNumber(folder).toLowerCase()].includes(name)
    },
    routePart: withoutNumber,
    orderOf: numberOf,
    addressesFrom: 'folder',
  },
  folders: {
    file: /(?:^|\/)_category_\.(?:json|ya?ml)$/,
    tagsFile: /^tags\.ya?ml$/,
    keys: {
      name: ['label'],
      order: ['position'],
      description: ['description', 'link.description'],
      address: ['link.slug'],
    },
    pages: { key: 'link.type', value: 'generated-index', below: 'category' },
  },
  links: {
    indexFiles: ['index.md', 'index.mdx', 'README.md', 'README.mdx', 'readme.md'],
    // The URLs of a site may end with a slash.
    begin: 'folder-or-page',
    alternatives: (path, folderName) => [
      // A file path that does not start with a dot may also be relative to the content folder or the site.
      ...(/^[^.].*\.mdx?$/.test(path) ? [{ from: 'root', path } as const] : []),
      ...(path.startsWith(`${folderName}/`)
        ? [{ from: 'root', path: path.slice(folderName.length + 1) } as const]
        : []),
    ],
    reachVersions: true,
    needImages: true,
    filePrefix: 'pathname://',
  },
  text: {
    showsHeadingOnly: true,
    syntax: ['containers', 'mdx'],
    containers: {
      line: containerLine('note|tip|info|warning|danger|caution|important|secondary|success'),
      plain: [],
    },
    rewrite: (text, lines) => [...headingIds(lines), ...unwrappedBlocks(lines), ...comments(text, lines)],
    components: {
      Tabs: 'content',
      TabItem: 'tab',
      Admonition: 'alert',
      Details: 'details',
      CodeBlock: 'code',
      Link: 'link',
      Translate: 'words',
      Head: 'nothing',
      TOCInline: 'nothing',
    },
    withoutMarks: (code) => {
      const rest = code.includes('highlight-') ? code.replace(CODE_MARK, '') : code
      return rest === code || code.endsWith('\n') ? rest : rest.replace(/\n$/, '')
    },
    includePath:
      /^import[ \t]+[\w$]+[^'"]*[ \t]from[ \t]+['"](?:!*raw-loader!(?=\.{1,2}\/)|(?=\.{1,2}\/[^'"]+\.mdx?['"]))([^'"]+)(?=['"])/,
    ownSyntax: /\{[^{}]*\}|<[A-Z][^<>]*>/g,
  },
  documentSign:
    /^(?:displayed_sidebar|hide_table_of_contents|pagination_(?:label|next|prev)|sidebar_(?:class_name|label|position)):|\sfrom ['"]@(?:docusaurus|site|theme)\//m,
  signs: [
    {
      ...MDX_SIGN,
      pattern: anyOf(
        String.raw`${LINE}import\s+(?:[\w$*][^'"\n]*\sfrom\s*|[\w$*, ]*\{[^{}'"]{0,2000}\}\s*from\s*)?['"][^'"\n]+['"]`,
        String.raw`${LINE}export\s+(?:(?:async|class|const|default|function|let|var)\b|\{|\*).*(?:\n.*\S.*)*`,
        String.raw`\{\/\*[\s\S]*?\*\/\}`,
      ),
      contains: ['import', 'export', '{/*'],
    },
    {
      ...MDX_SIGN,
      pattern: anyOf(
        String.raw`<\/?[A-Z][\w.]*(?=[\s/>])[^<>]*>?`,
        String.raw`<[a-z][\w-]*\s[^<>]*=\{[^<>]*>?`,
        '</?>',
      ),
      contains: ['<'],
      fate: 'is not read',
      isOnce: true,
    },
    {
      ...MDX_SIGN,
      pattern: anyOf(String.raw`(?<![\\{=$])\{(?![%{<#])[^{}]{1,500}\}`),
      contains: ['{'],
      isOnce: true,
    },
  ],
  loadSite: async () => (await import('./docusaurus-site.ts')).docusaurusSite,
}

const CODE_MARK =
  /^[ \t]*(?:\/\/|\/\*|\{\/\*|#|<!--|--|%|REM|')[ \t]*(?:highlight|showlinenumbers|collapse)-(?:next-line|start|end)[ \t]*(?:(?:\*\/\}?|-->)[ \t]*)?$\n?/gm

const HEADING_ID = /^[\s>]*#{1,6}[ \t].*?(?<!\\)(?=\{#)/

/** Escapes the braces of heading ids, which MDX would read as expressions. The ids are found later in the text. */
function headingIds(lines: readonly FencedLine[]): TextEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    const before = kind === 'text' && text.includes('{#') ? HEADING_ID.exec(text)?.[0] : undefined
    const from = at + (before?.length ?? 0)
    return before === undefined ? [] : [{ from, to: from, text: '\\' }]
  })
}

/** Removes the fences of `mdx-code-block`, whose content is not code. */
function unwrappedBlocks(lines: readonly FencedLine[]): TextEdit[] {
  let isUnwrapped = false
  return lines.flatMap(({ kind, text, at }) => {
    if (kind === 'open') isUnwrapped = /(?<![`~])[`~]{3,}[ \t]*mdx-code-block\b/.test(text)
    const isFence = kind === 'open' || kind === 'close'
    return isFence && isUnwrapped ? [{ from: at, to: at + text.length, text: '' }] : []
  })
}

/** Rewrites HTML comments, which MDX does not support. */
function comments(text: string, lines: readonly FencedLine[]): TextEdit[] {
  const edits: TextEdit[] = []
  let found = findComment(text, 0)
  for (const line of lines) {
    const isCode = findInlineCode(line.text)
    while (found !== undefined && found.at <= line.at + line.text.length) {
      const { at, end } = found
      const inner = text.slice(at + 4, end - 3).replaceAll('*/', '* /')
      if (line.kind === 'text' && !isCode(at - line.at))
        edits.push({ from: at, to: end, text: `{/*${inner}*/}` })
      found = findComment(text, end)
    }
  }
  return edits
}

function findComment(text: string, from: number): { readonly at: number; readonly end: number } | undefined {
  const at = text.indexOf('<!--', from)
  const end = at === -1 ? -1 : text.indexOf('-->', at + 4)
  return end === -1 ? undefined : { at, end: end + 3 }
}
