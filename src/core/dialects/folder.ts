import { numberOf, withoutNumber } from '../numbered-name.ts'
import type { ComponentKind, Dialect, SiteFile } from './dialect.ts'
import { directivesAsContainers, LIQUID_SIGN, liquidEdits, liquidRanges } from './jekyll-gitbook.ts'
import { WIKI_FILE } from './site-folders.ts'
import { README_SIGN, readmeEdits } from './readme-blocks.ts'
import { replace, type Replacement, withoutOverlaps } from './text-lines.ts'
import { HEADED_DEFAULTS, splitLanguageSuffix } from './usual.ts'

/** The components that Mintlify, Nextra, Fumadocs and similar tools offer to texts without an import. */
const MDX_COMPONENTS = componentsOf({
  content:
    'AccordionGroup Accordions CardGroup Cards Column Columns FileTree Files Panel Steps Tree View Visibility',
  nothing: 'Icon InlineTOC',
  tabs: 'Tabs',
  tab: 'Tab TabItem Tabs.Tab',
  codes: 'CodeBlockTabs CodeGroup RequestExample ResponseExample',
  alert: 'Admonition Alert Aside Callout Caution Check Danger Info Note Success Tip Warning',
  details: 'Accordion Collapse Details Expandable',
  card: 'Card Cards.Card Update',
  step: 'Step',
  entry: 'File FileTree.File FileTree.Folder Folder Tree.File Tree.Folder',
  field: 'ParamField ResponseField',
  figure: 'Frame',
  image: 'Image ImageZoom',
  link: 'Button Link LinkButton',
  badge: 'Badge',
})

/** @param names for each kind, separated by spaces */
function componentsOf(names: Readonly<Partial<Record<ComponentKind, string>>>) {
  return Object.fromEntries(
    Object.entries(names).flatMap(([kind, each]) =>
      each.split(' ').map((name) => [name, kind as ComponentKind] as const),
    ),
  )
}

/** Plain Markdown, without a tool. */
export const folder: Dialect = {
  label: 'plain Markdown',
  isGeneric: true,
  defaults: { ...HEADED_DEFAULTS, content: 'docs', include: ['**/*.md', '**/*.mdx'] },
  frontmatter: {
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'slug', key: 'slug', reading: 'address', isWritten: true },
      { field: 'categories', key: 'categories', reading: 'list', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'excerpt', reading: 'text', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text' },
      { field: 'status', key: 'status', reading: 'status', isWritten: true },
      { field: 'status', key: 'draft', reading: 'draft' },
      { field: 'status', key: 'published', reading: 'published' },
      { field: 'order', key: 'order', reading: 'number', isWritten: true },
      { field: 'order', key: 'nav_order', reading: 'number' },
      { field: 'order', key: 'weight', reading: 'number' },
      { field: 'hideFromSearch', key: 'hidden', reading: 'flag' },
      { field: 'aliases', key: 'redirect_from', reading: 'paths' },
    ],
  },
  paths: {
    endings: ['.md', '.mdx'],
    splitLanguage: splitLanguageSuffix,
    // In MDX, a page in lower case is about ReadMe: no tool shows it as that of its folder.
    isIndex: (name, above = '', extension = '') =>
      (/^(?:index|readme)(?:\.html)?$/i.test(withoutNumber(name)) &&
        `${name}${extension}` !== 'readme.mdx') ||
      isTemplate(name, above),
    // A folder in parentheses only groups pages.
    routePart: (written) => {
      // Middleman has `page.html.md`.
      const name = written.replace(/\.html$/, '')
      return /^\([^()]+\)$/.test(name) ? '' : isNumbered(name) ? withoutNumber(name) : name
    },
    orderOf: (name, above = '') => {
      const numbered = isTemplate(name, above) && name !== 'chapter' ? above : name
      return isNumbered(numbered) ? numberOf(numbered) : undefined
    },
    addressesFrom: 'root',
  },
  folders: { hasCategories: true },
  links: {
    indexFiles: ['README.md', 'index.md', 'readme.md', 'Readme.md', 'index.mdx', 'README.mdx'],
    begin: 'folder-or-page',
    areFoundByName: 'unique',
  },
  text: {
    syntax: ['mdx-files'],
    rewriteSign: new RegExp(`${LIQUID_SIGN.source}|${README_SIGN.source}|\\[\\[`, 'm'),
    rewrite: (_, lines, wikiPages = []) => {
      const { edits, rest } = readmeEdits(lines)
      const others = wikiPages.length > 0 ? [wikiLinks(wikiPages)] : []
      return withoutOverlaps([...edits, ...liquidEdits(rest, others)])
    },
    withoutTextFences: directivesAsContainers,
    lineRanges: (lines) => liquidRanges(readmeEdits(lines).rest),
    components: MDX_COMPONENTS,
    linkPath: /(?<!\\)\[\[(?:[^[\]|\n]+\|)?([^[\]|#<>\n]+)(?=(?:#[^[\]|<>\n]*)?\]\])/g,
    linkPathFile: WIKI_FILE,
    ownSyntax:
      /<[A-Z][^<>]*>|\{%[^%\n]*%\}|\{:[^{}\n]*\}|(?<=[ \t])(?:\{#[\w:.-]+\}|\[#\p{L}[^\s[\]]*\])(?=[ \t]*$)/gmu,
  },
  signs: [],
  loadSite: async () => (await import('./folder-site.ts')).folderSite,
}

/** False for years and codes of errors, such as `2024-review` and `404-not-found`, which belong to the name. */
function isNumbered(name: string): boolean {
  return !/^[1-9]\d\d/.test(name)
}

const WIKI_LINK = /(?<!\\)\[\[(?:([^[\]|\\\n]+)\\?\|)?([^[\]|#<>\n]+)(#[^[\]|<>\n]*)?\]\](?![([])/g

/** Reads `[[Page]]` and `[[words|Page]]` of a GitHub wiki, where pages are found without regard to case and hyphens. */
function wikiLinks(pages: readonly SiteFile[]): Replacement {
  const names = new Map(pages.map(({ name }) => [name.toLowerCase(), name]))
  return [
    WIKI_LINK,
    (match) => {
      const [, words, page = '', heading = ''] = match
      const name = page.trim().replaceAll(' ', '-')
      const path = names.get(name.toLowerCase()) ?? name
      // An image, or a URL.
      if (path === '' || /[:/]|\.(?:gif|jpe?g|png|svg|webp)$/i.test(path)) return undefined
      return replace(match, `[${(words ?? page).trim()}](<${path}${heading.replaceAll(' ', '-')}>)`)
    },
  ]
}

/** True for the page of a numbered folder in Grav, which has the name of its template. */
function isTemplate(name: string, above: string): boolean {
  return /^(?:chapter|default|docs|item)$/.test(name) && /^\d+\.(?!\d)/.test(above)
}
