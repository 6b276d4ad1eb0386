import type { Dialect, EmbedShortcode } from './dialect.ts'
import { splitLanguageSuffix, USUAL_DEFAULTS } from './usual.ts'

function embed(label: string, names: readonly string[], urlOf: EmbedShortcode['urlOf']): EmbedShortcode {
  return { label, names, urlOf }
}

/** X redirects from any user name, such as `i`, to that of the author. */
const POST_ON_X = embed(
  'Post on X',
  ['id'],
  ({ user = 'i', id }) => id && `https://x.com/${user}/status/${id}`,
)

export const hugo: Dialect = {
  label: 'Hugo',
  defaults: { ...USUAL_DEFAULTS, content: 'content' },
  frontmatter: {
    formats: ['toml', 'json'],
    foldsKeys: true,
    isPage: (data) => data['headless'] === true || isNeverRendered(data['build'] ?? data['_build']),
    translationKey: 'translationKey',
    cascadeKey: 'cascade',
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'title', key: 'linkTitle', reading: 'text' },
      { field: 'slug', key: 'url', reading: 'address', isWritten: true },
      { field: 'slug', key: 'slug', reading: 'name' },
      { field: 'aliases', key: 'aliases', reading: 'addresses', isWritten: true },
      { field: 'categories', key: 'categories', reading: 'list', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      { field: 'excerpt', key: 'summary', reading: 'text' },
      { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
      { field: 'order', key: 'weight', reading: 'number', isWritten: true },
      // The key depends on the theme.
      { field: 'hideFromSearch', key: 'exclude_search', reading: 'flag' },
      { field: 'hideFromSearch', key: 'excludeSearch', reading: 'flag' },
      { field: 'hideFromSearch', key: 'bookSearchExclude', reading: 'flag' },
      { field: 'seoBannerUrl', key: 'images', reading: 'image' },
    ],
  },
  paths: {
    endings: ['.md'],
    splitLanguage: splitLanguageSuffix,
    isIndex: (name) => name === '_index' || name === 'index',
    routePart: (name) => name.toLowerCase().replaceAll(/\s+/g, '-'),
    addressesFrom: 'root',
    hasBundles: true,
  },
  folders: {
    file: /(?:^|\/)_index(?:\.[^./]+)?\.md$/,
    hasText: true,
    keys: { name: ['title', 'linkTitle'], order: ['weight'], description: ['description'], address: ['url'] },
    pages: 'every',
    hasCategories: true,
  },
  links: {
    indexFiles: ['index.md', '_index.md'],
    begin: 'page',
    alternatives: (path) => [
      ...(path.endsWith('.md') ? [] : [{ from: 'page', path } as const]),
      ...(path.startsWith('../') ? [] : [{ from: 'root', path } as const]),
    ],
    areTranslated: true,
    // URLs are in lower case, and templates look up pages case-insensitively.
    ignoreCase: true,
    areFoundByName: 'unique',
    reachPageFiles: true,
  },
  text: {
    syntax: ['shortcodes', 'attributes', 'definitions', 'titled-quotes'],
    shortcodes: {
      comment: 'nothing',
      param: 'value',
      ref: 'address',
      relref: 'address',
      figure: 'figure',
      youtube: embed('YouTube video', ['id'], ({ id }) => id && `https://www.youtube.com/watch?v=${id}`),
      vimeo: embed('Vimeo video', ['id', 'class', 'title'], ({ id }) => id && `https://vimeo.com/${id}`),
      gist: embed(
        'Gist',
        ['user', 'id'],
        ({ user, id }) => user && id && `https://gist.github.com/${user}/${id}`,
      ),
      instagram: embed('Instagram post', ['id'], ({ id }) => id && `https://www.instagram.com/p/${id}/`),
      x: POST_ON_X,
      tweet: POST_ON_X,
      highlight: 'code',
      details: 'details',
      expand: 'details',
      alert: 'box',
      admonition: 'box',
      callout: 'box',
      hint: 'box',
      notice: 'box',
      // These are not part of Hugo, but most themes have them.
      tabs: 'tabs',
      tabpane: 'tabs',
      'tab-pane': 'tabs',
      tabset: 'tabs',
      'tab-set': 'tabs',
      tabgroup: 'tabs',
      'tab-group': 'tabs',
      tab: 'tab',
      tabitem: 'tab',
      'tab-item': 'tab',
    },
    configStems: ['hugo', 'config'],
    termIds: ['markup', 'goldmark', 'parser', 'autoDefinitionTermID'],
    ownSyntax: /\{\{[<%][^]{0,2000}?[>%]\}\}|<!--[^]{0,2000}?-->|\{(?:[#.]|[\w-]+=)[^{}\n]*\}/g,
  },
  signs: [
    {
      tool: 'a shortcode of Hugo',
      pattern: /\{\{[<%].*?[>%]\}\}/g,
      contains: ['{{<', '{{%'],
      hint: "Set preset: 'hugo', or write it in Markdown.",
    },
  ],
  loadSite: async () => (await import('./hugo-site.ts')).hugoSite,
}

function isNeverRendered(build: unknown): boolean {
  if (typeof build !== 'object' || build === null || !('render' in build)) return false
  return build.render === 'never' || build.render === false
}
