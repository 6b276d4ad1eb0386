import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { explainConfigProblems } from '../../../src/core/config/explain-config-problems.ts'
import { configSchema } from '../../../src/core/config/schema.ts'
import { createSourceFilter, findSources } from '../../../src/content/source/find-sources.ts'
import { temporaryFolder } from '../../support/folder.ts'

function project(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const load = (files: Readonly<Record<string, string>>, configFile?: string) =>
  loadConfig({ cwd: project(files), configFile })

const config = (body: string) => ({
  'kb.config.ts': `import { defineConfig } from 'kb-sync'\nexport default defineConfig(${body})\n`,
})

describe('a project without configuration', () => {
  test('has the defaults', async () => {
    const root = temporaryFolder()
    const { articleUrl, categoryUrl: _category, tagUrl: _tag, ...settings } = await loadConfig({ cwd: root })
    expect(settings).toEqual({
      root,
      configFile: undefined,
      settingsDigest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      hasFunctions: false,
      renderDigest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      report: { dueWithinDays: 30, failOn: [], maxOverdue: undefined, baseline: undefined },
      pages: { name: 'Knowledge base', signIn: 'hidden', brand: {} },
      otherPages: new Map(),
      project: 'default',
      contentRoot: join(root, 'content'),
      include: ['**/*.md'],
      exclude: [],
      target: { kind: 'builtin', name: 'builtin' },
      targets: {},
      defaultLanguage: 'en',
      defaults: { status: 'draft', order: 0, reviewAfterDays: 180, reviewSpreadDays: 60, categories: [] },
      brokenLinks: 'keep',
      ignoredLinks: [],
      assets: { inlineUnderBytes: 32_000, baseUrl: undefined, maxSizeBytes: 25_000_000, storage: 'offered' },
      rules: {},
      overrides: [],
      render: { parser: 'native', remarkPlugins: [], allow: { tags: [], attributes: {} }, highlight: false },
      sync: {
        concurrency: undefined,
        prune: false,
        maxDeletes: { kind: 'share', share: 0.1 },
        onConflict: 'fail',
        onError: 'stop',
        taxonomy: undefined,
        retries: 5,
        timeoutMs: 30_000,
        settleMs: 10_000,
      },
      server: {
        host: '127.0.0.1',
        port: 4400,
        db: join(root, '.kb', 'kb.db'),
        languages: ['en'],
        articleLimit: 1_000_000,
        bodyLimitBytes: 32_000_000,
        files: { fileBytes: 25_000_000, siteBytes: 5_000_000_000, graceMs: 86_400_000 },
      },
    })
    expect(articleUrl({ slug: 'a b', language: 'en' })).toBe('/articles/a%20b')
    expect(existsSync(join(root, '.kb'))).toBe(false)
  })

  test.each([
    ['{"name":"@acme/docs"}', '@acme/docs'],
    ['{}', 'default'],
    ['{"name":""}', 'default'],
    ['{"name":7}', 'default'],
  ])('and with the package.json %s is called %s', async (text, name) => {
    expect((await load({ 'package.json': text })).project).toBe(name)
  })

  test('and with a package.json that is broken is an error', async () => {
    await expect(load({ 'package.json': '{' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringMatching(/^package\.json is not valid JSON: /) as string,
    })
  })
})

describe('a configuration', () => {
  test('is TypeScript that imports kb-sync, without node_modules nearby', async () => {
    const settings = await load(
      config(`{
        project: 'docs',
        content: '../elsewhere',
        target: { url: 'https://help.example.com/base/api/v2/', allowHttp: 'x' },
        targets: { staging: { url: 'HTTP://Localhost:4400' } },
        defaultLanguage: 'fr' as string,
        defaults: { reviewAfter: '7d', reviewSpread: '0d', categories: 'Guides' },
        links: { article: ({ slug, language }) => \`/\${language}/\${slug}\` },
        assets: { inlineUnder: '1MB' },
        sync: { maxDeletes: 3, timeout: '1m', settle: '500ms' },
        report: { dueWithin: '14d', failOn: ['overdue', 'broken'], maxOverdue: 0, baseline: 'accepted.json' },
        server: { db: 'data.db' },
      }`),
    )
    expect(settings).toMatchObject({
      project: 'docs',
      contentRoot: join(settings.root, '..', 'elsewhere'),
      target: { kind: 'remote', name: 'default', url: 'https://help.example.com/base', apiKey: undefined },
      targets: { staging: { kind: 'remote', name: 'staging', url: 'http://localhost:4400' } },
      defaultLanguage: 'fr',
      defaults: { status: 'draft', reviewAfterDays: 7, reviewSpreadDays: 0, categories: ['Guides'] },
      assets: { inlineUnderBytes: 1_000_000, baseUrl: undefined },
      sync: { maxDeletes: { kind: 'count', count: 3 }, timeoutMs: 60_000, settleMs: 500 },
      report: {
        dueWithinDays: 14,
        failOn: ['overdue', 'broken'],
        maxOverdue: 0,
        baseline: join(settings.root, 'accepted.json'),
      },
      server: { db: join(settings.root, 'data.db'), languages: ['fr'] },
    })
    expect(settings.articleUrl({ slug: 's', language: 'fr' })).toBe('/fr/s')
  })

  test('may be a pattern of slug and language', async () => {
    const { articleUrl } = await load(config(`{ links: { article: '/{language}/x/{slug}' } }`))
    expect(articleUrl({ slug: 'ä?', language: 'pt-BR' })).toBe('/pt-BR/x/%C3%A4%3F')
  })

  test('can be set by name, and does not change the project folder', async () => {
    const root = project({ 'sub/other.mjs': 'export default { project: "other" }' })
    const settings = await loadConfig({ cwd: root, configFile: 'sub/other.mjs' })
    expect(settings).toMatchObject({ project: 'other', root, configFile: join(root, 'sub/other.mjs') })
  })

  test('in the nearest folder above is used, unless the folder itself has content', async () => {
    const root = project({
      'kb.config.ts': 'export default { project: "outer" }',
      'docs/kb.config.mjs': 'export default { project: "inner" }',
      'docs/guides/a.md': '',
      'own/content/a.md': '',
      'other/a.md': '',
    })
    const projectOf = async (folder: string) => {
      const settings = await loadConfig({ cwd: join(root, folder) })
      return [settings.project, settings.root]
    }
    expect(await projectOf('docs/guides')).toEqual(['inner', join(root, 'docs')])
    expect(await projectOf('other')).toEqual(['outer', root])
    expect(await projectOf('own')).toEqual(['default', join(root, 'own')])
  })

  test('that is set by name but missing is an error', async () => {
    await expect(load({}, 'missing.ts')).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      exitCode: 2,
      message: 'The configuration missing.ts does not exist.',
      hint: 'Use the path of an existing file, relative to the project folder.',
    })
  })

  test.each([
    ['cannot be parsed', 'export default {'],
    ['throws', 'throw new Error("no")'],
    ['imports what is not there', 'import "not-installed-anywhere"\nexport default {}'],
  ])('that %s is an error that names the file', async (_, text) => {
    await expect(load({ 'kb.config.ts': text })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringMatching(/^kb\.config\.ts(?::\d+:\d+)? could not be loaded: [^\n/]+$/) as string,
    })
  })

  test.each(['ts', 'mjs'])('that fails in %s is an error that names the line', async (extension) => {
    const text = 'export default {\n  project: process.env.NOT_SET.name,\n}\n'
    await expect(load({ [`kb.config.${extension}`]: text })).rejects.toMatchObject({
      message: `kb.config.${extension}:2:32 could not be loaded: Cannot read properties of undefined (reading 'name')`,
    })
    const line = 'export default { project: process.env.NOT_SET.name }\n'
    await expect(load({ [`kb.config.${extension}`]: line })).rejects.toMatchObject({
      message: `kb.config.${extension}:1:1 could not be loaded: Cannot read properties of undefined (reading 'name')`,
    })
  })
})

describe('an invalid configuration', () => {
  const explain = async (body: string) => {
    const error: unknown = await load({ 'kb.config.ts': `export default ${body}` }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      exitCode: 2,
      hint: 'The page "Configuration" in the guide lists every key with its default.',
    })
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }

  test('shows an object that lacks several keys once, and not keys of the same name elsewhere', async () => {
    const text = `export default {
  pages: {
    home: { title: 'Help' },
    messages: { es: { search: 'Buscar' } },
  },
}`
    const error: unknown = await load({ 'kb.config.mjs': text }).catch((reason: unknown) => reason)
    const place = { line: 4, column: 17, end: { line: 4, column: 19 } }
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', places: [place] })
  })

  test.each([
    [
      '{ preset: "docusarus" }',
      'preset: must be one of docusaurus, vitepress, hugo, mkdocs, starlight, obsidian, folder, not "docusarus"; did you mean "docusaurus"?',
    ],
    ['{ contents: "x" }', 'contents: unknown key; did you mean "content"?'],
    ['{ sync: { concurency: 3 } }', 'sync.concurency: unknown key; did you mean "concurrency"?'],
    ['{ markdown: { allow: { tag: [] } } }', 'markdown.allow.tag: unknown key; did you mean "tags"?'],
    [
      '{ targets: { x: { url: "https://x", apikey: "k" } } }',
      'targets.x.apikey: unknown key; did you mean "apiKey"?',
    ],
    ['{ target: { url: "https://x", apikey: "k" } }', 'target.apikey: unknown key; did you mean "apiKey"?'],
    ['{ colour: "red" }', 'colour: unknown key'],
    ['{ rules: { "bare-urls": "off" } }', 'rules.bare-urls: unknown key; did you mean "bare-url"?'],
    [
      '{ rules: { "title-missing": "off" } }',
      'rules.title-missing: not a configurable rule; it is always reported',
    ],
    [
      '{ overrides: [{ files: ["old/**"], rules: { "title-missing": "off" } }] }',
      'overrides.0.rules.title-missing: not a configurable rule; it is always reported',
    ],
    [
      '{ overrides: [{ files: ["old/**"], rules: { "bare-urls": "off" } }] }',
      'overrides.0.rules.bare-urls: unknown key; did you mean "bare-url"?',
    ],
    ['{ overrides: [{ files: [], rules: {} }] }', 'overrides.0.files: must not be empty'],
    ['{ target: "remote" }', 'target: must be "builtin" or { url, apiKey? }, not "remote"'],
    [
      '{ target: { url: "ftp://x" } }',
      'target.url: must be a URL that starts with https:// or http://, not "ftp://x"',
    ],
    ['{ sync: { concurrency: "8" } }', 'sync.concurrency: must be a whole number from 1 to 64, not "8"'],
    ['{ sync: { onConflict: "ask" } }', 'sync.onConflict: must be one of fail, skip, overwrite, not "ask"'],
    ['{ sync: { timeout: "30" } }', 'sync.timeout: must be a duration such as 30s, 5m, 2h or 180d, not "30"'],
    [
      '{ defaults: { reviewAfter: "6m" } }',
      'defaults.reviewAfter: must be a number of days such as 180d, not "6m"',
    ],
    [
      '{ assets: { inlineUnder: "32" } }',
      'assets.inlineUnder: must be a size such as 800B, 32kB or 1MB, not "32"',
    ],
    ...['https://name:password@cdn.example.com/', 'https:///a', '//cdn.example.com', '/a?b'].map(
      (baseUrl) => [
        `{ assets: { baseUrl: "${baseUrl}" } }`,
        `assets.baseUrl: must be a URL that starts with https:// or http://, or a path that starts with /, without ?, # or password, not "${baseUrl}"`,
      ],
    ),
    [
      '{ preset: "docusaurus", components: { X: "script" } }',
      'components.X: must be an element of the allow-list or of markdown.allow.tags, not "script"',
    ],
    [
      '{ preset: "hugo", shortcodes: { "my-x": { element: "Img" } } }',
      'shortcodes.my-x.element: must be an element of the allow-list or of markdown.allow.tags, not "Img"',
    ],
    [
      '{ components: () => "img" }',
      'components: needs the preset docusaurus or vitepress or starlight or folder',
    ],
    ['{ preset: "vitepress", shortcodes: {} }', 'shortcodes: needs the preset hugo'],
    [
      '{ preset: "vitepress", components: "img" }',
      'components: must be a function, or a table of elements by name, not "img"',
    ],
    [
      '{ preset: "vitepress", components: { X: { attributes: {} } } }',
      'components.X: must be the name of an element, or { element, attributes? }',
    ],
    ...['ftp://x', '/docs', 'https://name:password@example.com/', 'https://example.com/?a'].map((siteUrl) => [
      `{ siteUrl: "${siteUrl}" }`,
      `siteUrl: must be a URL that starts with https:// or http://, without ?, # or password, not "${siteUrl}"`,
    ]),
    ...[
      'ftp://x',
      'https://name:password@example.com',
      'https://example.com/?a',
      ...[
        '/%zz',
        '/hilfe%20x',
        '/a;b',
        '/*',
        '/:foo',
        '//evil.example',
        '/a//b',
        '/..',
        '/a/./b',
        '/über',
      ].map((path) => `https://example.com${path}`),
    ].map((url) => [
      `{ pages: { url: "${url}" } }`,
      `pages.url: must be a URL that starts with https:// or http://, and has at most a path of letters, digits, -, ., _ and ~ between single slashes, not "${url}"`,
    ]),
    ['{ pages: { sites: { docs: { name: "Docs" } } } }', 'pages.sites.docs.url: is required'],
    [
      '{ pages: { url: "https://a.example/x/", sites: { docs: { url: "http://a.example/x" } } } }',
      'pages.sites.docs.url: must differ from pages.url, not "http://a.example/x"',
    ],
    ['{ pages: { password: "short" } }', 'pages.password: must have at least 8 characters'],
    [
      '{ pages: { colours: { accent: "red" } } }',
      'pages.colours.accent: must be a colour such as #0b5cad, not "red"',
    ],
    ...['javascript:x', '//a.example/b', ''].map((favicon) => [
      `{ pages: { favicon: "${favicon}" } }`,
      `pages.favicon: must be a path from the project folder, or a URL that starts with https:// or http://, not "${favicon}"`,
    ]),
    ['{ pages: { logo: { dark: "a.svg" } } }', 'pages.logo.light: is required'],
    ...['javascript:x', 'articles/a', '//a.example'].map((contact) => [
      `{ pages: { contact: "${contact}" } }`,
      `pages.contact: must be a path of the pages that starts with /, or a URL that starts with https://, http://, mailto: or tel:, not "${contact}"`,
    ]),
    [
      '{ pages: { home: { title: 1 } } }',
      'pages.home.title: must be a text of at most 500 characters, or one for each language, not 1',
    ],
    [
      '{ server: { languages: ["fr", "en"] } }',
      'server.languages: must begin with the default language (defaultLanguage, or en)',
    ],
    [
      '{ defaultLanguage: "English" }',
      'defaultLanguage: must be a language code such as en or pt-BR, not "English"',
    ],
    ['{ report: { dueWithin: -1 } }', 'report.dueWithin: must be a number of days such as 180d, not -1'],
    ['{ links: { tag: 5 } }', 'links.tag: must be a pattern with {slug}, or a function, not 5'],
    ['{ links: { tag: "/tags" } }', 'links.tag: must be a pattern with {slug}, or a function, not "/tags"'],
    ['{ target: {} }', 'target.url: is required'],
    [
      '{ targets: { "a.b": { url: "https://x" } } }',
      'targets.a.b: this name must consist of letters, digits, - and _',
    ],
  ])('%s', async (body, expected) => {
    expect(await explain(body)).toEqual([expected])
  })

  test.each(['-1', '"?"', '[]', '[1]', '{}', '{ x: 1 }', 'null', 'true', '""', '() => 1'])(
    'never says a rule by its name in the schema: %s',
    async (value) => {
      const inner = Object.entries(configSchema.shape).flatMap(([key, schema]) => {
        const { shape } = schema.unwrap() as unknown as { readonly shape?: Readonly<Record<string, unknown>> }
        return [
          `{ ${key}: ${value} }`,
          ...Object.keys(shape ?? {}).map((name) => `{ ${key}: { "${name}": ${value} } }`),
        ]
      })
      const problems = inner.flatMap((text) => explainConfigProblems(runInThisContext(`(${text})`)))
      expect(problems.length).toBeGreaterThan(0)
      expect(problems.filter(({ text }) => /is invalid|: Invalid/.test(text))).toEqual([])
    },
  )

  describe.each([
    ['once', undefined],
    ['again and again', () => undefined],
  ])('that is loaded %s', (_, onFiles) => {
    test.each([
      ['null', 'null'],
      ['undefined', 'undefined'],
      ['5', 'a number'],
      ['"x"', 'a string'],
      ['[]', 'an array'],
      ['Promise.resolve(null)', 'null'],
      ['() => ({})', 'a function'],
    ])('must export an object, not %s', async (exported, kind) => {
      const root = project({ 'kb.config.ts': `export default ${exported}\n` })
      await expect(loadConfig({ cwd: root, onFiles })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: `kb.config.ts exports ${kind} instead of an object with settings.`,
        hint: 'Write the settings as export default defineConfig({ … }).',
      })
    })
  })

  test('that fails itself at null is not a default export of null', async () => {
    await expect(
      load({ 'kb.config.ts': 'const a: any = null\nexport default a.then\n' }),
    ).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' })
  })

  test('reports all problems at once', async () => {
    expect(await explain('{ content: 3, syncs: {}, sync: { retries: -1, prun: true } }')).toEqual([
      'content: must be a string, not 3',
      'sync.retries: must be a whole number from 0 to 20, not -1',
      'sync.prun: unknown key; did you mean "prune"?',
      'syncs: unknown key; did you mean "sync"?',
    ])
  })

  test('stays invalid after a valid one was remembered, and that one stays valid', async () => {
    const root = project({ '.kb/.gitignore': '*', 'kb.config.ts': 'export default { project: "a" }' })
    for (let run = 1; run <= 2; run++) expect((await loadConfig({ cwd: root })).project).toBe('a')
    expect(existsSync(join(root, '.kb/cache/validated-config'))).toBe(true)
    const other = project({ '.kb/.gitignore': '*', 'kb.config.ts': 'export default { projct: "a" }' })
    for (let run = 1; run <= 2; run++)
      await expect(loadConfig({ cwd: other })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('the digest of the settings', () => {
  const digestOf = async (body: string) =>
    (await load({ 'kb.config.ts': `export default ${body}` })).settingsDigest
  const plugin = (options: string) => `{ markdown: { remarkPlugins: [[() => {}, ${options}]] } }`

  test.each([
    ['{}', '{ project: "x" }'],
    ['{ links: { article: () => "/a" } }', '{ links: { article: () => "/b" } }'],
    [plugin('{ test: /a/ }'), plugin('{ test: /b/ }')],
    [plugin('new Set(["a"])'), plugin('new Set(["b"])')],
    [plugin('new Map([["a", 1]])'), plugin('new Map([["a", 2]])')],
    [plugin('[[]]'), plugin('[]')],
    [plugin('{ size: 1n }'), plugin('{ size: 2n }')],
    [plugin('"1"'), plugin('1')],
  ])('distinguishes %s from %s', async (one, other) => {
    expect(await digestOf(one)).toBe(await digestOf(one))
    expect(await digestOf(one)).not.toBe(await digestOf(other))
  })

  test('depends on the video hosts, which a rule knows, and on nothing else of the pages', async () => {
    const digest = async (pages: object) =>
      (await load({ 'kb.config.ts': `export default ${JSON.stringify({ pages })}\n` })).renderDigest
    expect(await digest({ name: 'Help' })).toBe(await digest({}))
    expect(await digest({ embeds: ['youtube'] })).not.toBe(await digest({}))
  })

  test('with a mapping, includes the imports of the file', async () => {
    const digest = async (prefix: string) =>
      (
        await load({
          'kb.config.ts': "import { map } from './map.ts'\nexport default { frontmatter: map }\n",
          'map.ts':
            "import { prefix } from './prefix.ts'\nexport const map = (data: object) => ({ ...data, title: prefix })\n",
          'prefix.ts': `export const prefix = '${prefix}'\n`,
        })
      ).renderDigest
    expect(await digest('a')).toBe(await digest('a'))
    expect(await digest('a')).not.toBe(await digest('b'))
  })

  test('works even if an option contains itself', async () => {
    const settings = await load({
      'kb.config.ts':
        'const a = { b: [] }\na.b.push(a)\nexport default { markdown: { remarkPlugins: [[() => {}, a]] } }',
    })
    expect(settings.render.remarkPlugins).toHaveLength(1)
  })
})

test.each([
  [
    'docusaurus',
    'docs',
    {
      'docusaurus.config.ts':
        "export default { presets: [['classic', { blog: { exclude: ['**/a.md'] }, docs: { path: 'docs', x: '}', exclude: ['**/wip/**', ...more, 'README.md'] } }]] }\n",
    },
    ['**/node_modules/**', '**/wip/**', 'README.md'],
  ],
  [
    'vitepress',
    'docs',
    { 'docs/.vitepress/config.mts': "export default { srcExclude: ['**/README.md'] }\n" },
    ['**/node_modules/**', '**/README.md'],
  ],
  [
    'hugo',
    'content',
    { 'hugo.toml': 'ignoreFiles = ["wip/", "(?i)\\\\.Draft\\\\.md$"]\n' },
    ['**/node_modules/**', 'regexp:wip/', String.raw`regexp:(?i)\.Draft\.md$`],
  ],
  [
    'hugo',
    'content',
    {
      'config/_default/hugo.toml': 'ignoreFiles = "draft"\n',
      'config/_default/languages.en.toml': 'contentDir = "content/en"\n',
      'config/_default/languages.fr.toml': 'contentDir = "content/fr"\n',
    },
    ['**/node_modules/**', 'regexp:draft', 'wip/**'],
  ],
  [
    'hugo',
    'content',
    {
      'hugo.toml':
        'ignoreFiles = ["draft", "wip/"]\nlanguages = { en = { contentDir = "content/en" } }\nmodule = { mounts = [{ source = "content/wip", target = "content" }] }\n',
    },
    ['**/node_modules/**', 'regexp:draft', 'regexp:wip/'],
  ],
  [
    'folder',
    'docs',
    { 'docs/SUMMARY.md': '# Contents\n\n- [A](a.md)\n' },
    ['**/node_modules/**', 'SUMMARY.md'],
  ],
  [
    'obsidian',
    '.',
    {
      '.obsidian/templates.json': '{ "folder": "wip" }',
      '.obsidian/plugins/templater-obsidian/data.json': '{ "templates_folder": "more/forms/" }',
    },
    ['**/node_modules/**', 'wip/**', 'more/forms/**'],
  ],
] as const)('what %s leaves out is left out', async (preset, folder, files, exclude) => {
  const root = project({
    'kb.config.mjs': `export default { preset: '${preset}' }`,
    ...files,
    [`${folder}/a.md`]: '',
    [`${folder}/wip/b.md`]: '',
    [`${folder}/README.md`]: '',
    [`${folder}/c.draft.md`]: '',
  })
  const settings = await loadConfig({ cwd: root })
  expect(settings.exclude).toEqual(exclude)
  const { articles } = findSources(
    settings.contentRoot,
    await createSourceFilter(settings.include, settings.exclude),
    preset,
  )
  const left = {
    docusaurus: ['a.md', 'c.draft.md'],
    vitepress: ['a.md', 'c.draft.md', 'wip/b.md'],
    hugo: ['README.md', 'a.md'],
    folder: ['README.md', 'a.md', 'c.draft.md', 'wip/b.md'],
    obsidian: ['README.md', 'a.md', 'c.draft.md'],
  }
  expect(articles.map(({ source }) => source)).toEqual(left[preset])
})

test.each([
  ['_Sidebar.md', ['Home', 'Set-up']],
  ['_notes.md', undefined],
])('the pages of a wiki are known by %s', async (file, names) => {
  const root = project({
    'kb.config.mjs': `export default { preset: 'folder', content: '.' }`,
    'Set-up.md': '',
    [names ? 'Home.md' : 'other.md']: '',
    [file]: '',
  })
  const { render } = await loadConfig({ cwd: root })
  expect(render.siteFiles?.map(({ name }) => name)).toEqual(names)
})

test.each([
  ["sidebarPath: './s.js', /* later:\n exclude: ['k/**'],\n */", []],
  ["routeBasePath: '/', // exclude: ['a.md'],", []],
  ["exclude: ['drafts/**', /* 'a.md', */ 'b.md'], // 'c.md'", ['drafts/**', 'b.md']],
  ["exclude: [\n 'a.md', // 'b.md'\n //'c.md'\n]", ['a.md']],
  ["editUrl: 'https://x.example/', exclude: ['**/*.a.md', '/*b*/']", ['**/*.a.md', '/*b*/']],
  ['x: `// ${f({ a: `}${"`"}/*` }) /* ` */}/*`, exclude: ["a.md"]', ['a.md']],
  ["x: /[/'{]\\/*/, y: 4 / 2 /* / */, exclude: ['a.md']", ['a.md']],
  ["x: () => { return /'/ }, exclude: ['a.md'], y: 'it\\'s // no comment'", ['a.md']],
] as const)('what stands in a comment of a script does not count: %j', async (docs, exclude) => {
  const root = project({
    'kb.config.mjs': "export default { preset: 'docusaurus' }",
    'docusaurus.config.js': `module.exports = { presets: [['classic', { docs: { ${docs}\n } }]] }`,
    'docs/a.md': '',
  })
  expect((await loadConfig({ cwd: root })).exclude).toEqual(['**/node_modules/**', ...exclude])
})

test('a comment after a value of VitePress is ignored', async () => {
  const root = project({
    'kb.config.mjs': "export default { preset: 'vitepress' }",
    'docs/.vitepress/config.mts': 'export default {\n  title: "x", // srcExclude: ["a.md"]\n}\n',
    'docs/a.md': '',
  })
  expect((await loadConfig({ cwd: root })).exclude).toEqual(['**/node_modules/**'])
})

test('the configuration of a Hugo site is read from the nearest folder above its content, and is in the digest', async () => {
  const root = project({
    'kb.config.ts': "export default { preset: 'hugo', content: 'site/content' }\n",
    'hugo.toml': 'title = "Not of this site"\n',
    'site/hugo.toml': 'title = "Site"\n',
    'site/config/_default/params.yaml': 'version: 1\n',
    'site/content/a.md': 'Text.\n',
  })
  let files: readonly string[] = []
  const loadSite = () => loadConfig({ cwd: root, onFiles: (all) => (files = all) })
  const first = await loadSite()
  expect(first.render.siteFiles).toEqual([
    { name: 'hugo.toml', text: 'title = "Site"\n' },
    { name: 'config/_default/params.yaml', text: 'version: 1\n' },
  ])
  expect(files).toEqual(
    ['kb.config.ts', 'site/hugo.toml', 'site/config/_default/params.yaml'].map((name) => join(root, name)),
  )
  writeFileSync(join(root, 'site/config/_default/params.yaml'), 'version: 2\n')
  const second = await loadSite()
  expect(second.renderDigest).not.toBe(first.renderDigest)
  expect(second.settingsDigest).not.toBe(first.settingsDigest)
})
