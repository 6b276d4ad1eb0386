/** Defaults of the configuration. The schema documents them, and `normaliseConfig` applies them. */
export const CONFIG_DEFAULTS = {
  content: 'content',
  include: ['**/*.md'],
  target: 'builtin',
  defaultLanguage: 'en',
  defaults: { status: 'draft', order: 0, reviewAfter: '180d', reviewSpread: '60d', categories: [] },
  links: {
    article: '/articles/{slug}',
    category: '/categories/{slug}',
    tag: '/tags/{slug}',
    broken: 'keep',
    ignore: [],
  },
  assets: { maxSize: '25MB' },
  markdown: { parser: 'native', highlight: false },
  sync: {
    prune: false,
    maxDeletes: '10%',
    onConflict: 'fail',
    onError: 'stop',
    retries: 5,
    timeout: '30s',
    settle: '10s',
  },
  report: { dueWithin: '30d', failOn: [] },
  pages: { signIn: 'hidden' },
  server: {
    host: '127.0.0.1',
    port: 4400,
    db: '.kb/kb.db',
    articleLimit: 1_000_000,
    bodyLimit: '32MB',
    files: { maxSize: '25MB', maxTotal: '5000MB', grace: '24h' },
  },
} as const

/** Maximum size of embedded images, unless `assets.baseUrl` is set. */
export const INLINE_UNDER = '32kB'

/** Minimum length of the password for the pages. */
export const SHORTEST_PASSWORD = 8
