// kb init as users see it: its questions, its final message, and its output without a terminal.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runInit, type InitFlags } from '../../src/cli/commands/init.ts'
import type { PromptStreams } from '../../src/cli/terminal/confirm.ts'
import { createKb } from '../../src/index.ts'
import { countColumns } from '../../src/core/text-columns.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { readProgramVersion } from '../../src/core/version.ts'
import { article, createProject, type TestProject } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'

function memoryTerminal(): Terminal & { readonly printed: { out: string; err: string } } {
  const printed = { out: '', err: '' }
  const colors = pc.createColors(false)
  return {
    printed,
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isLive: false,
    columns: 80,
    colors,
    errColors: colors,
    status: () => undefined,
  }
}

const NOBODY: PromptStreams = { input: new PassThrough(), output: new PassThrough() }

async function run(
  project: TestProject,
  options: InitFlags,
  { folder = '.', conversation = NOBODY }: { folder?: string; conversation?: PromptStreams } = {},
) {
  const terminal = memoryTerminal()
  const code = await runInit([folder], { cwd: project.root, ...options }, terminal, conversation)
  return { code, ...terminal.printed }
}

const ENTER = '\r'
const QUIETLY: InitFlags = { yes: true, install: false }

/** Returns the final message without the path to the folder, which differs from run to run. */
const wordsOf = (text: string) => text.replace(/^ {2}cd .*\n/m, '')

describe('the final message', () => {
  test('of an empty folder', async () => {
    const { code, out, err } = await run(createProject(), QUIETLY)
    expect({ code, err, out: wordsOf(out) }).toEqual({
      code: 0,
      err: '',
      out: `  + created  package.json
  + created  .gitignore
  + created  content/_categories.yml
  + created  content/_tags.yml
  + created  content/how-to-write-an-article.md
  + created  kb.config.ts

kb-sync is not installed yet. Install it first: npm's kb is another program.

Next:
  npm install   installs kb-sync
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`,
    })
  })

  test('for a folder with existing files, in another place, with a pipeline', async () => {
    const project = createProject({
      'help/package.json': '{ "name": "help", "packageManager": "pnpm@10.1.0" }',
      'help/.gitignore': 'node_modules\n.kb\n',
      'help/.gitlab-ci.yml': '',
      'help/content/_categories.yml': '- { name: Guides }\n',
      'help/content/a.md': article('A'),
      'help/content/b.md': article('B'),
      'help/node_modules/kb-sync/package.json': '{}',
    })
    const { out } = await run(
      project,
      { yes: true, url: 'https://help.example.com', ci: ['gitlab', 'github'] },
      { folder: 'help' },
    )
    expect(wordsOf(out)).toBe(`  ~ changed  package.json
      added: script kb:check, script kb:sync, script kb:watch, devDependency
      kb-sync
  · kept     .gitignore
  · kept     content/_categories.yml
  + created  .gitlab/kb.yml
  + created  .github/workflows/kb.yml
  + created  kb.config.ts

2 Markdown files found. They stay as they are; each needs a title and a category
from _categories.yml; kb check shows what is missing.

kb check finds no problems in 2 articles.

Add this line to .gitlab-ci.yml, or its value to the existing include: include:
/.gitlab/kb.yml

The CI workflow needs two masked variables of the project: KB_API_KEY, and
READONLY_KB_API_KEY with a read-only key for the jobs that only read.

The CI workflow needs two secrets of the repository: KB_API_KEY, and
READONLY_KB_API_KEY with a read-only key for the jobs that only read.

Next:
  pnpm exec kb check  finds problems in the articles
  pnpm exec kb sync   publishes what has changed
  pnpm exec kb watch  publishes each change at once, and shows the pages
`)
    expect(Math.max(...wordsOf(out).split('\n').map(countColumns))).toBeLessThanOrEqual(80)
  })

  test('with --quiet lists only the files', async () => {
    const { out } = await run(createProject({ 'content/a.md': article('A') }), { ...QUIETLY, quiet: true })
    const files = [
      'package.json',
      '.gitignore',
      'content/_categories.yml',
      'content/_tags.yml',
      'kb.config.ts',
    ]
    expect(out).toBe(files.map((file) => `  + created  ${file}\n`).join(''))
  })

  test('with --json is one document', async () => {
    const project = createProject({
      'package.json': '{ "scripts": { "kb:check": "mine" } }',
      'content/a.md': article('A'),
    })
    const { out, err } = await run(project, { ...QUIETLY, json: true, ci: ['github'] })
    const { next, ...document } = JSON.parse(out) as { next: string[] }
    expect({ err, next: next.slice(-4), document }).toEqual({
      err: '',
      next: ['npm install', 'npx kb check', 'npx kb sync', 'npx kb watch'],
      document: {
        version: 1,
        root: project.root,
        preset: null,
        articles: 1,
        files: [
          {
            file: 'package.json',
            action: 'changed',
            changes: ['script kb:sync', 'script kb:watch', 'devDependency kb-sync'],
          },
          { file: '.gitignore', action: 'created' },
          { file: 'content/_categories.yml', action: 'created' },
          { file: 'content/_tags.yml', action: 'created' },
          { file: '.github/workflows/kb.yml', action: 'created' },
          { file: 'kb.config.ts', action: 'created' },
        ],
        todos: [{ kind: 'script', name: 'kb:check' }],
        check: { articles: 1, otherFiles: 0, errors: 0, warnings: 0 },
        installation: { kind: 'unwanted', command: 'npm install' },
      },
    })
  })
})

const DOCUSAURUS = {
  'package.json': '{ "name": "acme-docs" }',
  'docusaurus.config.ts': "export default { title: 'Acme', i18n: { defaultLocale: 'de' } }",
  'docs/intro.md': '---\nsidebar_position: 1\n---\n\n# Intro\n\nHello.\n',
  'docs/guides/setup.mdx': '---\ntitle: Setup\n---\n\nSee [intro](../intro.md).\n',
}

describe('in the folder of a site', () => {
  test('its documents are read as they are, which is stated', async () => {
    const project = createProject(DOCUSAURUS)
    const { out } = await run(project, QUIETLY)
    expect(wordsOf(out)).toBe(`  ~ changed  package.json
      added: script kb:check, script kb:sync, script kb:watch, devDependency
      kb-sync
  + created  .gitignore
  + created  kb.config.ts

Found 2 Markdown files in docs (Docusaurus). The preset 'docusaurus' reads them
as they are; nothing is added to them.

kb check finds no problems in 2 articles.

kb-sync is not installed yet. Install it first: npm's kb is another program.

Next:
  npm install   installs kb-sync
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`)
    expect(project.read('kb.config.ts')).toContain(`
  // Reads Docusaurus documents as they are.
  preset: 'docusaurus',
  // content: 'docs',
  defaultLanguage: 'de',
  pages: { name: 'Acme' },
  // defaults: { status: 'published', reviewAfter: '180d' },
`)
    const kb = createKb({ cwd: project.root, env: {} })
    expect(await kb.check()).toMatchObject({ articles: 2, diagnostics: [] })
    const content = await kb.openSite()
    const { view } = await content.read()
    content.close()
    expect(view.articles.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['guides-setup', 'Setup', 'published'],
      ['intro', 'Intro', 'published'],
    ])
  })

  test('with translations elsewhere, which are left out', async () => {
    const project = createProject({
      ...DOCUSAURUS,
      'i18n/en/docusaurus-plugin-content-docs/current/intro.md': '# Intro',
      'i18n/fr/code.json': '{}',
    })
    const { out } = await run(project, QUIETLY)
    expect(out.replaceAll('\n', ' ')).toMatch(
      /The translations in i18n\/en\/docusaurus-plugin-content-docs\/current are left out\. To send them as well: file:\S+\/content\/configuration\/presets\.md#docusaurus /,
    )
  })

  test('that is itself a folder of documents, with --json', async () => {
    const project = createProject({
      '.vitepress/config.mts': '',
      'about.md': '# About\n\nUs.\n',
      'guide/start.md': '# Start\n\nHello.\n',
      'node_modules/x/README.md': '# x\n',
      'node_modules/kb-sync/package.json': '{}',
    })
    const { out } = await run(project, { ...QUIETLY, json: true })
    expect(JSON.parse(out)).toMatchObject({ preset: 'vitepress', articles: 2 })
    expect(project.read('kb.config.ts')).toContain("  preset: 'vitepress',\n  content: '.',\n")
    const { articles, diagnostics } = await createKb({ cwd: project.root, env: {} }).check()
    expect({ articles, diagnostics }).toEqual({ articles: 2, diagnostics: [] })
    const french = createProject({
      '.vitepress/config.ts': "locales: { root: { lang: 'en' }, fr: { label: 'Français' } }",
      'guide.md': '# Guide\n\nHello.\n',
      'fr/guide.md': '# Guide\n\nBonjour.\n',
    })
    await run(french, QUIETLY)
    expect(french.read('kb.config.ts')).toContain("  server: { languages: ['en', 'fr'] },\n")
    expect(await createKb({ cwd: french.root, env: {} }).check()).toMatchObject({
      articles: 2,
      diagnostics: [],
    })
    const { out: text } = await run(createProject({ '.vitepress/config.ts': '' }), QUIETLY)
    expect(text).toContain('Found 0 Markdown files in this folder (VitePress).')
  })

  test.each([
    ['docusaurus.config.js', 'Docusaurus', 'docusaurus', 'docs'],
    ['config/_default/hugo.toml', 'Hugo', 'hugo', 'content'],
  ])('whose documents are elsewhere: %s', async (file, tool, preset, content) => {
    const project = createProject({ [file]: '' })
    const { out } = await run(project, QUIETLY)
    expect(out.replaceAll('\n', ' ')).toContain(
      `${file} belongs to a ${tool} site, but its documents were not found in this folder, so this is a separate project. ` +
        `To use the documents of that site, set preset: '${preset}' in kb.config.ts, and set content to their folder, such as '../${content}'.`,
    )
    const { out: json } = await run(createProject({ [file]: '' }), { ...QUIETLY, json: true })
    expect(JSON.parse(json)).toMatchObject({ preset: null, todos: [{ kind: 'site', preset, file, content }] })
    const alone = { ...QUIETLY, json: true, preset: 'none' } as const
    expect(JSON.parse((await run(createProject({ [file]: '' }), alone)).out)).toMatchObject({ todos: [] })
  })

  test.each(['docusaurus', 'vitepress', 'hugo'] as const)('that has no folder yet: %s', async (preset) => {
    const project = createProject()
    const { out } = await run(project, { ...QUIETLY, preset })
    const content = preset === 'hugo' ? 'content' : 'docs'
    expect(out).toContain(`  + created  ${content}/how-to-write-an-article.md\n`)
    expect(out).toContain(`There was no folder ${content} yet, so it was created with a first article.`)
    const { articles, diagnostics } = await createKb({ cwd: project.root, env: {} }).check()
    expect({ articles, diagnostics }).toEqual({ articles: 1, diagnostics: [] })
  })

  test.each<[string, InitFlags, string | undefined, string]>([
    ['another folder', { content: 'help' }, undefined, 'help/how-to-write-an-article.md'],
    ['--preset none', { preset: 'none' }, undefined, 'content/how-to-write-an-article.md'],
    [
      '--preset none for its documents',
      { preset: 'none', content: 'docs' },
      undefined,
      'docs/_categories.yml',
    ],
    ['another tool', { preset: 'hugo', content: 'docs' }, 'hugo', ''],
    ['a folder inside its documents', { content: 'docs/guides' }, 'docusaurus', ''],
  ])('%s is used as specified', async (_, options, preset, file) => {
    const project = createProject(DOCUSAURUS)
    await run(project, { ...QUIETLY, ...options })
    expect((await createKb({ cwd: project.root, env: {} }).loadSettings()).preset).toBe(preset)
    if (file !== '') expect(project.read(file)).not.toBe('')
  })

  test('is confirmed first, and no means no', async () => {
    const question = 'This is a Docusaurus site. Read the documents in docs as they are?'
    const rest = [
      ['Where are they published?', ENTER],
      ['Which language are they in?', ENTER],
      ['Add a CI workflow that checks them?', ENTER],
    ] as const
    const taken = createProject(DOCUSAURUS)
    await run(taken, { install: false }, { conversation: somebody([question, ENTER], ...rest) })
    const unasked = createProject(DOCUSAURUS)
    await run(unasked, QUIETLY)
    expect(taken.read('kb.config.ts')).toBe(unasked.read('kb.config.ts'))

    const refused = createProject(DOCUSAURUS)
    const no = somebody([question, `n${ENTER}`], ['Which folder contains the articles?', ENTER], ...rest)
    await run(refused, { install: false }, { conversation: no })
    const left = createProject(DOCUSAURUS)
    await run(left, { ...QUIETLY, preset: 'none' })
    expect(refused.read('kb.config.ts')).toBe(left.read('kb.config.ts'))
  })
})

const FOREIGN = {
  'docs/README.md': '# Handbook\n\nHello.\n',
  'docs/guides/a.md': '---\nms.date: 1\n---\n# A\n\n[gone](gone.md), [lost](lost.md)\n',
  'docs/guides/b.md': '# B\n\n![x](x.png)\n',
  'docs/old/c.md': '# C\n\nText.\n',
  'docs/old/d.md': '# D\n\n![y](y.png)\n',
}

const PROPOSED = `  rules: {
    'asset-missing': 'warning', // 2
  },
  overrides: [
    {
      files: ['guides/**'],
      rules: {
        'link-file-missing': 'warning', // 2
      },
    },
  ],
`

describe('in a folder of Markdown that was not written for kb-sync', () => {
  test('--yes shows settings that allow a first sync, and --accept writes them', async () => {
    const project = createProject(FOREIGN)
    const { code, out } = await run(project, QUIETLY)
    expect(code).toBe(0)
    expect(out).toContain(`
Found 5 Markdown files in docs. With the preset 'folder', the category of an
article is its folder, and its title is its first heading or its file name.

kb check finds 4 errors and 2 warnings in 5 articles. A sync sends nothing until
there are no errors. With these settings, a first sync sends all 5 articles:

${PROPOSED}
To add them to kb.config.ts, run kb init --accept. Or fix the errors.

kb-sync is not installed`)
    expect(project.read('kb.config.ts')).not.toContain('rules')
    const accepting = createProject(FOREIGN)
    const accepted = await run(accepting, { ...QUIETLY, accept: true })
    expect(accepted.out).toContain('They were added to kb.config.ts.')
    expect(accepting.read('kb.config.ts')).toContain(`\n${PROPOSED}})\n`)
    const kb = createKb({ cwd: accepting.root, env: {} })
    const { diagnostics } = await kb.check()
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([])
    expect((await kb.sync()).summary).toMatchObject({ created: 5 })
    expect((await kb.sync()).summary).toMatchObject({ created: 0, unchanged: 5 })
  })

  test('a terminal shows that the files are checked', async () => {
    const shown: string[] = []
    const status: Terminal['status'] = (text) => void shown.push(String(text))
    const terminal = { ...memoryTerminal(), isLive: true, status }
    await runInit(['.'], { cwd: createProject(FOREIGN).root, ...QUIETLY }, terminal, NOBODY)
    expect(shown).toEqual(['Checking 5 Markdown files…', ''])
  })

  test('--accept adds them later to the existing configuration', async () => {
    const project = createProject(FOREIGN)
    await run(project, QUIETLY)
    const { code, out } = await run(project, { accept: true })
    expect({ code, out: wordsOf(out) }).toEqual({
      code: 0,
      out: `
kb check finds 4 errors and 2 warnings in 5 articles. A sync sends nothing until
there are no errors. With these settings, a first sync sends all 5 articles:

${PROPOSED}
They were added to kb.config.ts.

kb-sync is not installed yet. Install it first: npm's kb is another program.

Next:
  npm install   installs kb-sync
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`,
    })
    expect(project.read('kb.config.ts')).toContain(`\n${PROPOSED}})\n`)
    expect((await createKb({ cwd: project.root, env: {} }).sync()).summary).toMatchObject({ created: 5 })
    expect((await run(project, { accept: true })).out).toContain('kb check finds no errors')
  })

  test('--accept does not change a configuration with its own such settings', async () => {
    const config =
      "export default { preset: 'folder', content: 'docs', rules: { 'asset-too-large': 'off' } }\n"
    const project = createProject({ ...FOREIGN, 'kb.config.mjs': config })
    const { out } = await run(project, { accept: true })
    expect(out).toContain(`${PROPOSED}
They could not be added to kb.config.mjs, which contains rules already. Add them
yourself, or fix the errors.
`)
    expect(project.read('kb.config.mjs')).toBe(config)
  })

  test('--accept reports a missing content folder', async () => {
    const project = createProject({
      'content/a.md': '# A\n',
      'kb.config.mjs': "export default { preset: 'folder', content: 'docs' }\n",
    })
    await expect(run(project, { accept: true })).rejects.toThrow(
      `There is no content folder ${project.path('docs')}.`,
    )
  })

  test('--content . makes the project folder the content', async () => {
    const project = createProject({ 'node_modules/x/README.md': '# x\n' })
    await run(project, { ...QUIETLY, content: '.' })
    expect(project.read('kb.config.ts')).toContain("  content: '.',\n  exclude: ['**/node_modules/**'],\n")
    expect(project.read('_categories.yml')).toContain('$schema=./node_modules/kb-sync/')
    const { articles, diagnostics } = await createKb({ cwd: project.root, env: {} }).check()
    expect({ articles, diagnostics }).toEqual({ articles: 1, diagnostics: [] })
  })

  test('settings that would hold back nearly every article are not proposed', async () => {
    const project = createProject(FOREIGN)
    const { out } = await run(project, { ...QUIETLY, accept: true, content: 'docs', preset: 'none' })
    expect(out).toContain(`A sync sends nothing until
there are no errors.

No setting lets a first sync through: 5 articles would be held back. If the
files were not written for kb-sync, set preset in kb.config.ts: to 'folder' for
plain Markdown, or to the tool that they were written for.
`)
    expect(project.read('kb.config.ts')).not.toContain('onError')
  })

  test('an image that is too large to be stored becomes a warning', async () => {
    const project = createProject(FOREIGN)
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    project.write({
      'docs/guides/x.png': Buffer.concat([png, Buffer.alloc(100_000)]),
      'docs/old/y.png': Buffer.concat([png, Buffer.alloc(26_000_000)]),
    })
    const { out } = await run(project, { ...QUIETLY, accept: true })
    expect(out).toContain("'asset-too-large': 'warning', // 1\n")
    const { diagnostics } = await createKb({ cwd: project.root, env: {} }).check()
    const found = diagnostics.filter(({ code }) => code === 'asset-too-large')
    expect(found).toMatchObject([{ severity: 'warning', file: 'docs/old/d.md' }])
  })

  test('values known only to the code of a site become warnings, and their articles are sent', async () => {
    const project = createProject({
      '.vitepress/config.ts': '',
      'index.md': '---\nlayout: home\n---\n',
      'setup.md': '# Setup\n\n<code>get {{ v }}</code> of [the shop](https://shop.example/{{v}}).\n',
      'start.md': '# Start\n\nText.\n',
    })
    const made = await project.kb('init', '--yes', '--no-install', '--accept')
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringContaining(`
kb check finds 2 errors in 2 articles. 1 other Markdown file is not an article:
pages of folders or of the site, parts of articles, or excluded files. A sync
sends nothing until there are no errors. With these settings, a first sync sends
all 2 articles:

  rules: {
    'value-unresolved': 'warning', // 2
  },

They were added to kb.config.ts.
`),
    ])
    const sync = await project.kb('sync')
    expect([sync.code, sync.stdout]).toEqual([0, expect.stringContaining('Articles: 2 created')])
    expect(sync.stderr).toContain('2 warnings, shown with --verbose; kb check may find more.')
    expect((await builtinArticles(project)).get('setup')?.content).toContain(
      '<p><code>get {{ v }}</code> of the shop.</p>',
    )
    expect((await project.kb('sync')).code).toBe(0)
  })

  test('articles with errors that no setting turns into warnings are held back', async () => {
    const project = createProject({
      ...FOREIGN,
      'docs/guides/broken.md': '---\ntitle: [\n---\n',
      'docs/old/c.md': '# C\n\n[broken](../guides/broken.md)\n',
    })
    const { out } = await run(project, { ...QUIETLY, accept: true })
    const lines = `  // Articles with other errors are held back, and those that depend on them.\n  // Now: 1 file with errors; 1 more article depends on it.\n  sync: { onError: 'hold' },\n`
    expect(out).toContain(lines)
    expect(project.read('kb.config.ts')).toContain(`\n${PROPOSED}${lines}})\n`)
    const kb = createKb({ cwd: project.root, env: {} })
    expect((await kb.sync()).summary).toMatchObject({ created: 4, skipped: 2 })
    expect((await kb.sync()).summary).toMatchObject({ created: 0, unchanged: 4, skipped: 2 })
  })

  test('settings that the configuration already contains are not proposed again, in any notation', async () => {
    const broken = { 'docs/guides/broken.md': '---\ntitle: [\n---\n' }
    const config = (rest: string) =>
      `const shared = { onError: 'hold' }\nexport default { preset: 'folder', content: '.', exclude: ['node_modules/**'], 'rules': { 'asset-missing': 'warning', "link-file-missing": 'warning' }, ${rest} }\n`
    const holding = createProject({ ...FOREIGN, ...broken, 'kb.config.ts': config('sync: { ...shared }') })
    const held = await holding.kb('init', '--accept')
    expect(wordsOf(held.stdout)).toBe(`
kb check finds 1 error and 6 warnings in 6 articles. A sync holds back 1 of 6
articles: 1 file with errors.

kb-sync is not installed yet. Install it first: npm's kb is another program.

Next:
  npm install   installs kb-sync
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`)
    expect((await holding.kb('sync')).stdout).toContain('Held back: 1 file with errors.\n')

    const stopping = createProject({ ...FOREIGN, ...broken, 'kb.config.ts': config('') })
    expect((await stopping.kb('init', '--accept')).stdout).toContain(
      "5 of 6 articles:\n\n  // Articles with other errors are held back, and those that depend on them.\n  // Now: 1 file with errors.\n  sync: { onError: 'hold' },\n\nThey were added to kb.config.ts.",
    )
    expect((await stopping.kb('init', '--accept')).stdout).toContain('A sync holds back 1 of 6')
  })

  test('in a project with articles at its root, a rule is relaxed in the right folder', async () => {
    const project = createProject({
      'kb.config.ts': "export default { preset: 'folder', content: '.' }\n",
      'guides/a.md': '# A\n\n[gone](gone.md)\n',
      'old/b.md': '# B\n\nText.\n',
    })
    expect((await project.kb('init', '--accept')).stdout).toContain("files: ['guides/**'],")
    expect((await project.kb('check')).stdout).toContain('1 warning in 2 articles.')
  })

  test('a rule that the configuration sets to an error stays one, and with a preset none is suggested', async () => {
    const project = createProject({
      'kb.config.mjs':
        "export default { preset: 'folder', content: 'docs', rules: { 'link-file-missing': 'error' } }\n",
      'docs/a.md': '# A\n\n[gone](gone.md)\n',
    })
    expect((await project.kb('init', '--accept')).stdout).toContain(`A sync sends nothing until there are no
errors.

No setting lets a first sync through: 1 article would be held back. kb check
shows the errors.
`)
  })

  test('an error in a file for all articles must be fixed first', async () => {
    const project = createProject({ ...FOREIGN, 'docs/_tags.yml': 'a: [' })
    expect(
      (await run(project, { ...QUIETLY, accept: true, content: 'docs', preset: 'folder' })).out,
    ).toContain(
      'No setting lets a first sync through while there are errors in docs/_tags.yml.\nkb check shows them.\n',
    )
  })

  test('asks whether to write them', async () => {
    const question = 'No tool was recognised. Use the folders in docs as categories?'
    const rest = [
      [question, ENTER],
      ['Where are they published?', ENTER],
      ['Which language are they in?', ENTER],
      ['Add a CI workflow that checks them?', ENTER],
    ] as const
    const yes = createProject(FOREIGN)
    const last = 'Add these settings to kb.config.ts?'
    await run(yes, { install: false }, { conversation: somebody(...rest, [last, ENTER]) })
    expect(yes.read('kb.config.ts')).toContain(PROPOSED)
    const no = createProject(FOREIGN)
    const { code } = await run(no, { install: false }, { conversation: somebody(...rest, [last, CONTROL_C]) })
    expect({ code, config: no.read('kb.config.ts').includes('rules') }).toEqual({ code: 0, config: false })
  })
})

describe('in a project', () => {
  const CONFIG =
    "import { defineConfig } from 'kb-sync'\nexport default defineConfig({ content: 'docs', TARGET })\n"

  test('a pipeline is added for the existing target, and nothing else', async () => {
    const project = createProject({
      'kb.config.ts': CONFIG.replace('TARGET', "target: { url: 'https://help.example.com' }"),
      'docs/a.md': article('A'),
      content: 'a file that is none of our business',
      'node_modules/kb-sync/package.json': '{}',
    })
    const { code, out } = await run(project, { ci: ['github'] })
    expect({ code, out: wordsOf(out) }).toEqual({
      code: 0,
      out: `  + created  .github/workflows/kb.yml

The CI workflow needs two secrets of the repository: KB_API_KEY, and
READONLY_KB_API_KEY with a read-only key for the jobs that only read.

Next:
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`,
    })
    const present = ['.github', 'content', 'docs', 'kb.config.ts', 'node_modules']
    expect(readdirSync(project.root).filter((name) => name !== '.kb')).toEqual(present)
    expect(wordsOf((await run(project, { ci: ['github'] })).out)).toContain(
      '  · kept     .github/workflows/kb.yml\n',
    )
  })

  test('a report is added beside the existing pipeline', async () => {
    const project = createProject({
      'kb.config.ts': CONFIG.replace('TARGET', "target: { url: 'https://help.example.com' }"),
      '.gitlab-ci.yml': 'kb-check:\n  script: [npx kb check]\n',
      '.github/workflows/kb.yml': '',
      'node_modules/kb-sync/package.json': '{}',
    })
    const { out } = await run(project, { ci: ['github', 'gitlab'], report: true })
    expect(wordsOf(out)).toBe(`  · kept     .github/workflows/kb.yml
  + created  .github/workflows/kb-report.yml
  · kept     .gitlab-ci.yml
  + created  .gitlab/kb-report.yml

The report needs a secret of the repository: READONLY_KB_API_KEY, with a
read-only key.

Add this line to .gitlab-ci.yml, or its value to the existing include: include:
/.gitlab/kb-report.yml

The report needs a masked variable of the project: READONLY_KB_API_KEY, with a
read-only key.

The report runs in scheduled pipelines: create a schedule under Build > Pipeline
schedules, such as 23 5 * * 1,4

Next:
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`)
  })

  test('no report is created for the built-in server, with the reason', async () => {
    const project = createProject({ 'kb.config.ts': CONFIG.replace('TARGET', '') })
    const { out } = await run(project, { ci: ['github'], report: true })
    expect(wordsOf(out)).toContain(`
No report was set up, because the articles of the built-in server stay on its
machine. Run kb report there.
`)
    expect(readdirSync(project.path('.github/workflows'))).toEqual(['kb.yml'])
  })

  test('a pipeline for the built-in server only checks', async () => {
    const project = createProject({ 'kb.config.ts': CONFIG.replace('TARGET', '') })
    await run(project, { yes: true, ci: ['gitlab'] })
    expect(project.read('.gitlab-ci.yml')).not.toContain('kb-sync:')
  })

  test('other answers are rejected', async () => {
    const project = createProject({ 'kb.config.ts': CONFIG.replace('TARGET', '') })
    for (const options of [{ ci: ['none'] as const }, { ci: ['github'] as const, language: 'de' }, {}])
      await expect(run(project, { yes: true, ...options })).rejects.toMatchObject({ code: 'PROJECT_EXISTS' })
  })
})

describe('rejected', () => {
  test.each<[string, InitFlags, string]>([
    [
      'where nobody can be asked',
      {},
      'kb init asks questions, which is not possible here. Nothing was written.',
    ],
    ['with --json alone', { json: true }, 'kb init asks questions, which is not possible with --json.'],
    [
      'with --ci none and another',
      { yes: true, ci: ['none', 'github'] },
      '--ci none cannot be combined with another --ci.',
    ],
    [
      'with --report and no pipeline',
      { yes: true, report: true },
      '--report is part of a CI workflow, and none was requested.',
    ],
    [
      'with --report and --ci none',
      { ci: ['none'], report: true },
      '--report is part of a CI workflow, and none was requested.',
    ],
    [
      'with --config',
      { yes: true, config: 'x.ts' },
      'kb init always writes kb.config.ts and does not accept --config.',
    ],
  ])('%s', async (_, options, message) => {
    const project = createProject()
    await expect(run(project, options)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message) as string,
    })
    expect(readdirSync(project.root)).toEqual([])
  })

  test('with a missing --cwd', async () => {
    const project = createProject()
    await expect(run(project, { ...QUIETLY, cwd: project.path('slip') })).rejects.toMatchObject({
      code: 'USAGE',
    })
    expect(readdirSync(project.root)).toEqual([])
  })

  test('a second time', async () => {
    const project = createProject()
    await run(project, QUIETLY)
    await expect(run(project, QUIETLY)).rejects.toMatchObject({ code: 'PROJECT_EXISTS', exitCode: 2 })
  })
})

// The questions.

/** Creates a user at a terminal who types `keys` each time the preceding question is asked. */
function somebody(...dialogue: readonly (readonly [question: string, keys: string])[]): PromptStreams {
  const setRawMode = () => input
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  const waiting = [...dialogue]
  let said = ''
  output.on('data', (part: Buffer) => {
    said += stripVTControlCharacters(part.toString())
    const [next] = waiting
    if (next === undefined || !said.includes(next[0])) return
    waiting.shift()
    said = ''
    // The prompt listens once it is drawn.
    setImmediate(() => input.write(next[1]))
  })
  return { input, output }
}

const DOWN = '\u001b[B'
const CONTROL_C = '\u0003'
const CONTROL_U = '\u0015'

describe('the questions', () => {
  test('answered with Enter are like --yes', async () => {
    const asked = createProject()
    const conversation = somebody(
      ['Which folder contains the articles?', ENTER],
      ['Where are they published?', ENTER],
      ['Which language are they in?', ENTER],
      ['Add a CI workflow that checks them?', ENTER],
    )
    const { out } = await run(asked, { install: false }, { conversation })
    const unasked = await run(createProject(), QUIETLY)
    expect(wordsOf(out)).toBe(wordsOf(unasked.out))
  })

  test('are repeated after an invalid answer', async () => {
    const project = createProject()
    const conversation = somebody(
      ['Which folder contains the articles?', `../docs${ENTER}`],
      ['It must be a folder inside', `${CONTROL_U}docs${ENTER}`],
      ['Where are they published?', `${DOWN}${ENTER}`],
      ['What is its URL?', `https://help.example.com${ENTER}`],
      ['Which language are they in?', `de${ENTER}`],
      ['Add a CI workflow that checks them?', `${DOWN}${ENTER}`],
      ['Report due reviews and broken links twice a week?', ENTER],
    )
    await run(project, { install: false }, { conversation })
    expect(project.read('kb.config.ts')).toContain(`
  target: { url: 'https://help.example.com' },

  content: 'docs',
  defaultLanguage: 'de',
`)
    expect(project.read('.github/workflows/kb.yml')).toContain('npx kb sync')
    expect(project.read('.github/workflows/kb-report.yml')).toContain('npx kb report')
  })

  test('that a flag answers are not asked', async () => {
    const project = createProject()
    const conversation = somebody(['Which language are they in?', ENTER])
    const options = { install: false, content: 'docs', url: 'https://a.example.com', ci: ['none'] as const }
    await run(project, options, { conversation })
    expect(project.read('kb.config.ts')).toContain("content: 'docs'")
  })

  test('cancelled with Ctrl-C write nothing', async () => {
    const project = createProject()
    const conversation = somebody(
      ['Which folder contains the articles?', ENTER],
      ['Where are they published?', CONTROL_C],
    )
    await expect(run(project, {}, { conversation })).rejects.toMatchObject({
      code: 'INTERRUPTED',
      message: 'Stopped. Nothing was written.',
    })
    expect(readdirSync(project.root)).toEqual([])
  })
})

// Installing, with the registry at the loopback address.

/** Starts a registry with one version of kb-sync, or none. */
async function startRegistry(tarball?: Buffer): Promise<string> {
  const server: Server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const name = 'kb-sync'
    const version = readProgramVersion()
    if (tarball === undefined) response.writeHead(404).end('{}')
    else if (request.url === '/kb-sync.tgz') response.end(tarball)
    else
      response
        .setHeader('Content-Type', 'application/json')
        .end(
          JSON.stringify({
            name,
            'dist-tags': { latest: version },
            versions: {
              [version]: {
                name,
                version,
                bin: { kb: 'kb.js' },
                dist: { tarball: `http://127.0.0.1:${port}/kb-sync.tgz` },
              },
            },
          }),
        )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Creates a project whose package manager uses that registry. */
async function projectWith(tarball?: Buffer): Promise<TestProject> {
  const project = createProject()
  project.write({
    '.npmrc': `registry=${await startRegistry(tarball)}\ncache=${project.path('.npm')}\nfetch-retries=0\n`,
  })
  return project
}

function packedProgram(): Buffer {
  const source = createProject({
    'package/package.json': JSON.stringify({
      name: 'kb-sync',
      version: readProgramVersion(),
      bin: { kb: 'kb.js' },
    }),
    'package/kb.js': '#!/usr/bin/env node\n',
  })
  execFileSync('tar', ['-czf', 'kb-sync.tgz', 'package'], { cwd: source.root })
  return readFileSync(source.path('kb-sync.tgz'))
}

describe('installing', () => {
  test('adds kb-sync to the project', async () => {
    const project = await projectWith(packedProgram())
    const { out, err } = await run(project, { yes: true })
    expect({ err, next: wordsOf(out).slice(out.indexOf('\nNext:')) }).toEqual({
      err: 'Installing kb-sync with npm…\n',
      next: `
Next:
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`,
    })
    expect(readdirSync(project.path('node_modules/.bin'))).toEqual(['kb'])
  })

  test('that leaves it out is a warning, also with --quiet', async () => {
    const project = await projectWith(packedProgram())
    project.write({ '.npmrc': `${project.read('.npmrc')}omit=dev\n` })
    expect(await run(project, { yes: true, quiet: true })).toMatchObject({
      code: 0,
      err: `warning: kb-sync could not be installed. npm install did not install it; does it
  skip devDependencies?
`,
    })
  })

  test('that fails is a warning, with the command to run', async () => {
    const project = await projectWith()
    const { code, out, err } = await run(project, { yes: true })
    const packed = `kb-sync-${readProgramVersion()}.tgz`
    expect({ code, err, end: wordsOf(out).split('\n').slice(-11) }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^Installing kb-sync with npm…\nwarning: kb-sync could not be installed\. (?:.|\n)*E?404(?:.|\n)*$/,
      ) as string,
      end: [
        '',
        'kb-sync is not installed yet, and the registry does not have it. In the',
        `repository of kb-sync, npm ci && npm pack writes ${packed}; install that`,
        'file.',
        '',
        'Next:',
        `  npm install --save-dev PATH/${packed}  installs kb-sync`,
        '  npx kb check                                   finds problems in the articles',
        '  npx kb sync                                    publishes what has changed',
        '  npx kb watch                                   publishes each change at once, and shows the pages',
        '',
      ],
    })
    expect(project.read('kb.config.ts')).toContain('defineConfig')
  })
})
