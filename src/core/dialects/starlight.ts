import type { Dialect } from './dialect.ts'
import { containerLine } from './text-lines.ts'
import { HEADED_DEFAULTS } from './usual.ts'

export const starlight: Dialect = {
  label: 'Starlight',
  defaults: { ...HEADED_DEFAULTS, content: 'src/content/docs', include: ['**/*.md', '**/*.mdx'] },
  frontmatter: {
    isPage: ({ template }) => template === 'splash',
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'slug', key: 'slug', reading: 'address', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
      { field: 'order', key: 'sidebar', reading: 'nested-order' },
      { field: 'hideFromSearch', key: 'pagefind', reading: 'shown', isWritten: true },
    ],
  },
  paths: {
    endings: ['.md', '.mdx'],
    // Folder names are in lower case: `pt-br`.
    splitLanguage: (source, languages) => {
      const [first = '', ...rest] = source.split('/')
      const language = languages.find((each) => each.toLowerCase() === first.toLowerCase())
      return rest.length === 0 || language === undefined
        ? { language: undefined, path: source }
        : { language, path: rest.join('/') }
    },
    isIndex: (name) => name === 'index',
    routePart: (name) => name.toLowerCase().replaceAll(/\s+/g, '-'),
    addressesFrom: 'root',
  },
  folders: {},
  links: {
    indexFiles: ['index.md', 'index.mdx'],
    begin: 'page',
    alternatives: (path) => [{ from: 'page', path }],
    areTranslated: true,
    reachOriginals: true,
    ignoreCase: true,
  },
  text: {
    syntax: ['containers', 'mdx-files'],
    containers: { line: containerLine('note|tip|caution|danger'), plain: [] },
    components: {
      Aside: 'alert',
      Badge: 'badge',
      Card: 'card',
      CardGrid: 'content',
      Code: 'code',
      FileTree: 'content',
      Fragment: 'content',
      Icon: 'nothing',
      LinkButton: 'link',
      LinkCard: 'link-card',
      Steps: 'content',
      TabItem: 'tab',
      Tabs: 'content',
    },
    includePath: /^import[ \t]+[\w$]+[^'"]*[ \t]from[ \t]+['"](?=\.{1,2}\/[^'"]+\.mdx?['"])([^'"]+)(?=['"])/,
    writeAlert: (kind, title, content) => {
      const name = kind === 'warning' ? 'caution' : kind === 'important' ? 'note' : kind
      const inner = content.map((line) => /^:{3,}/.exec(line)?.[0].length ?? 2)
      const colons = ':'.repeat(Math.max(2, ...inner) + 1)
      const shown = title === '' && name !== kind ? kind.charAt(0).toUpperCase() + kind.slice(1) : title
      return [`${colons}${name}${shown === '' ? '' : `[${shown}]`}`, ...content, colons]
    },
    ownSyntax: /\{[^{}]*\}|<[A-Z][^<>]*>/g,
  },
  signs: [],
  loadSite: async () => (await import('./starlight-site.ts')).starlightSite,
}
