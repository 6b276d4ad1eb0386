// The rooms of src/, lowest first. A room imports only from rooms on lower floors, not from its neighbours on the same
// floor. ARCHITECTURE.md says what each is for; test/layers.process.test.ts plants wrong imports and sees them found.
const ROOMS = [
  ['core'],
  ['api', 'web'],
  ['content', 'server'],
  ['sync'],
  ['authoring', 'inspect', 'watch'],
  ['kb'],
  ['index.ts'],
  ['cli', 'plugins'],
]

// Inside a room: these folders, lowest first, know nothing of the rest of it. `.` stands for the files at its root. In
// `content` there is no rest: every file lies in one of them.
const INSIDE = {
  core: [['.'], ['errors'], ['model'], ['dialects'], ['code-frame', 'config', 'git', 'net']],
  api: [['contract', 'link-probe'], ['client']],
  web: [['.'], ['dashboard'], ['pages', 'report']],
  content: [
    ['source'],
    ['frontmatter'],
    ['parser'],
    ['includes', 'assets'],
    ['markdown'],
    ['from-html', 'write-back'],
    ['preset'],
    ['dialect', 'site-links'],
    ['link-occurrences'],
    ['links'],
    ['taxonomy'],
    ['rules'],
    ['pipeline'],
    ['category-tree'],
  ],
  sync: [['state'], ['plan'], ['remote']],
  authoring: [['body'], ['pull']],
  inspect: [['check', 'doctor'], ['report']],
  watch: [['files', 'live-content', 'live-sync'], ['reducer'], ['preview']],
  kb: [['init'], ['site'], ['target']],
  cli: [
    ['terminal'],
    ['text'],
    ['failures', 'markdown', 'sarif'],
    ['diagnostics'],
    ['profile', 'report'],
    ['results'],
    ['watch'],
    ['commands'],
    ['program'],
  ],
}

// Development packages that the build takes into dist/, so that nobody has to install them.
const BUNDLED = [
  '@clack/prompts',
  '@hono/node-server',
  '@observablehq/plot',
  '@orama/stemmers',
  '@orama/stopwords',
  '@streamparser/json',
  'ci-info',
  'commander',
  'csv-stringify',
  'detect-indent',
  'diff',
  'fastest-levenshtein',
  'filenamify',
  'get-east-asian-width',
  'github-slugger',
  'hast-util-from-html',
  'hast-util-from-parse5',
  'hast-util-raw',
  'hast-util-sanitize',
  'hast-util-to-html',
  'hast-util-to-jsx-runtime',
  'hono',
  'htmlparser2',
  'ical-generator',
  'ignore',
  'image-size',
  'ipaddr.js',
  'kysely',
  'launch-editor',
  'linkedom',
  'mdast-util-from-markdown',
  'mdast-util-to-hast',
  'micromark',
  'micromark-extension-gfm',
  'nypm',
  'parse5',
  'pg',
  'picocolors',
  'picomatch',
  'pino',
  'prom-client',
  'property-information',
  'refractor',
  'rehype-remark',
  'remark-directive',
  'remark-gfm',
  'remark-github-beta-blockquote-admonitions',
  'remark-mdx',
  'remark-parse',
  'remark-stringify',
  'supports-hyperlinks',
  'toml-eslint-parser',
  'unist-util-visit',
  'uuid',
  'vfile',
  'xast-util-to-xml',
  'xastscript',
  'yaml',
]

const isFile = (name) => name.endsWith('.ts')
const pathOf = (name) =>
  `^src/${isFile(name) ? `${name.replace('.', '\\.')}$` : `${name}/`}`.replace('/./', '/[^/]+$')

/** Each folder may import itself and those on lower floors, of all that lies in `within`. */
const floors = (groups, within) =>
  groups.flatMap((group, index) => {
    const lower = groups.slice(0, index).flat()
    return group.map((folder) => ({
      name: `${folder.replace('/.', '').replace('.ts', '')}-imports-only-below`,
      severity: 'error',
      comment:
        `src/${folder} may import only ${lower.length === 0 ? 'itself' : lower.join(', ')}${within === '^src/' ? '' : ' of its room'}. ` +
        'Move what both need into a lower layer, or pass it in as an argument.',
      from: { path: pathOf(folder) },
      to: { path: within, pathNot: [folder, ...lower].map(pathOf) },
    }))
  })

const directions = [
  ...floors(ROOMS, '^src/'),
  ...Object.entries(INSIDE).flatMap(([room, groups]) =>
    floors(
      groups.map((group) => group.map((folder) => `${room}/${folder}`)),
      pathOf(room),
    ),
  ),
]

/** Of a room without a rest, every file has its floor. */
const complete = (room) => ({
  name: `${room}-has-a-floor-for-every-folder`,
  severity: 'error',
  comment: `Every file of src/${room} lies in a folder that is listed in INSIDE: move it into one, or give its folder a floor.`,
  from: { path: pathOf(room), pathNot: INSIDE[room].flat().map((folder) => pathOf(`${room}/${folder}`)) },
  to: {},
})

/** A package that only one place may import, so that it can be replaced there. */
const only = (name, packages, places, advice) => ({
  name: `${name}-stays-in-its-place`,
  severity: 'error',
  comment: advice,
  from: { path: '^src/', pathNot: places },
  to: { path: packages.map((each) => `node_modules/${each}/`), dependencyTypesNot: ['type-only'] },
})

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment:
        'Two files that need each other are one idea or three: move the shared part into a file of its own.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment:
        'List the package under dependencies, or here under BUNDLED if the build may take it in: what only works by accident here is missing for the user.',
      from: {
        path: '^src/',
        // The bundler of a Docusaurus site resolves what its pages import, and a declaration is no code.
        pathNot: ['^src/plugins/docusaurus/theme/', '[.]d[.]ts$'],
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        // Vite is there wherever its plugin runs.
        pathNot: ['vite', '@types/picomatch', ...BUNDLED].map((name) => `^node_modules/${name}/`),
      },
    },
    ...directions,
    complete('content'),
    {
      name: 'server-stands-alone',
      severity: 'error',
      comment:
        'The server imports core, api/contract, api/link-probe and web only: what it needs of the content reaches it as data.',
      from: { path: '^src/server/' },
      to: {
        path: '^src/',
        pathNot: ['^src/server/', '^src/core/', '^src/api/contract/', '^src/api/link-probe/', '^src/web/'],
      },
    },
    {
      name: 'server-is-started-from-the-top',
      severity: 'error',
      comment:
        'Only kb/target/, kb/serve.ts and cli/ start the server, lazily; everything else talks HTTP to it.',
      from: {
        path: '^src/',
        pathNot: ['^src/server/', '^src/kb/target/', '^src/kb/serve\\.ts$', '^src/cli/'],
      },
      to: { path: '^src/server/' },
    },
    only(
      'undici',
      ['undici'],
      ['^src/api/client/', '^src/api/link-probe/'],
      'HTTP is spoken in api/client/ and by the link checks only: call the client instead.',
    ),
    only(
      'sql',
      ['libsql', 'kysely'],
      ['^src/server/store/', '^src/content/pipeline/render-cache\\.ts$'],
      'SQL stays in the stores: add a method to the store interface instead.',
    ),
    only(
      'markdown',
      ['remark', 'remark-gfm', 'remark-html', 'remark-parse', 'satteri', 'unified', 'micromark', 'refractor'],
      ['^src/content/', '^src/core/config/', '^src/core/highlight-tree\\.ts$', '^src/authoring/body/'],
      'Markdown is read in content/ (and in authoring/body/, which takes edits back into it): use what they return.',
    ),
    only(
      'watching',
      ['chokidar'],
      ['^src/watch/'],
      'Files are watched in watch/ only: take its events instead.',
    ),
    only(
      'charts',
      ['@observablehq/plot', 'linkedom'],
      ['^src/web/dashboard/'],
      'Charts are drawn in web/dashboard/ only: hand it the figures.',
    ),
    only(
      'terminal',
      ['commander', 'picocolors', '@clack/prompts'],
      ['^src/cli/'],
      'Nothing below cli/ prints or parses arguments: return data and let cli/ format it.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
