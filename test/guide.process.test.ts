// The user guide in content/ against the program: what it lists is complete, and what it shows works.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { createJiti } from 'jiti'
import type { Nodes, Root, RootContent, Table } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type * as z from 'zod'
import { createProgram } from '../src/cli/program/program.ts'
import { CSV_COLUMNS } from '../src/cli/report/format-report-csv.ts'
import { createTerminal } from '../src/cli/terminal/terminal.ts'
import { type KbConfig, configSchema } from '../src/core/config/schema.ts'
import { explainConfigProblems } from '../src/core/config/explain-config-problems.ts'
import { normaliseConfig } from '../src/core/config/settings.ts'
import { readEnvironment } from '../src/core/config/resolve-target.ts'
import { FRONTMATTER_KEYS, frontmatterSchema } from '../src/content/frontmatter/frontmatter-schema.ts'
import {
  categoriesSchema,
  CATEGORY_KEYS,
  TAG_KEYS,
  tagsSchema,
} from '../src/content/taxonomy/taxonomy-schema.ts'
import { routes } from '../src/api/contract/routes.ts'
import { MESSAGE_KINDS } from '../src/core/page-messages.ts'
import { ERRORS } from '../src/core/errors/catalogue.ts'
import { EXIT } from '../src/core/errors/exit-codes.ts'
import * as library from '../src/index.ts'
import { DIAGNOSTICS, type DiagnosticCode, RULES, severityOf } from '../src/core/model/diagnostic-codes.ts'
import { startBuiltinService } from './support/builtin-service.ts'
import { pngOf } from './support/images.ts'
import {
  article as markdownOf,
  configFile,
  createProject,
  type Files,
  startCommand,
  startServing,
  type TestProject,
} from './support/project.ts'
import { SERVICE_KEY } from './support/strict-service.ts'
import { builtinArticles, getFrom, type ReadArticle } from './support/read-articles.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONTENT = join(ROOT, 'content')
const SERVER_IN_GUIDE = 'http://127.0.0.1:4400'

interface Block {
  readonly page: string
  readonly lang: string
  readonly text: string
  /** The file that the sentence before the block names: `content/_tags.yml`: */
  readonly file: string | undefined
  /** The text of the heading above. */
  readonly section: string
}

interface Page {
  readonly source: string
  readonly frontmatter: z.infer<typeof frontmatterSchema>
  readonly tree: Root
  readonly blocks: readonly Block[]
}

const pages = new Map(
  readdirSync(CONTENT, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((source) => [source, readPage(source)]),
)
const allBlocks = [...pages.values()].flatMap(({ blocks }) => blocks)

// The catalogues, both ways.

test('every diagnostic has its section, and every section its diagnostic', () => {
  expect(codeHeadings('troubleshooting/diagnostics.md').toSorted()).toEqual(
    Object.keys(DIAGNOSTICS).toSorted(),
  )
})

test('every section of a diagnostic says how to fix it', () => {
  const { children } = page('troubleshooting/diagnostics.md').tree
  const sections = children.flatMap((node, index) =>
    node.type === 'heading' && node.depth === 3 ? [index] : [],
  )
  const without = sections.filter((start, index) => {
    const section = children.slice(start, sections[index + 1])
    return !section.some((node) => node.type === 'paragraph' && textOf(node).startsWith('To fix it:'))
  })
  expect(without.map((start) => textOf(children[start] ?? { type: 'text', value: '' }))).toEqual([])
})

test('the page on rules has every rule with its severity and what it finds', () => {
  const rows = tableWith('writing/rules.md', 'rule')
  expect(rows).toEqual(
    Object.entries(RULES).map(([code, { severity, summary }]) => [code, severity, summary]),
  )
})

test('every error has its section, and every section its error', () => {
  expect(codeHeadings('troubleshooting/errors.md').toSorted()).toEqual(Object.keys(ERRORS).toSorted())
})

test('every error is in the section of its exit code', () => {
  const [, ...sections] = readFileSync(join(CONTENT, 'troubleshooting/errors.md'), 'utf8').split(/^## /m)
  const found = sections.flatMap((section) => {
    const exit = Number(/^These errors end with exit code (\d)/m.exec(section)?.[1])
    const others = new Map(
      [...section.matchAll(/`(\w+)` with (\d)/g)].map(([, code, other]) => [code, Number(other)]),
    )
    return [...section.matchAll(/^### `(\w+)`$/gm)].map(([, code]) => [code, others.get(code) ?? exit])
  })
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([code, { exit }]) => [code, exit])),
  )
})

test('the exit codes are those of the program', () => {
  const rows = tableWith('command-line/exit-codes-and-json.md', 'code')
  expect(rows.map(([code]) => Number(code))).toEqual(Object.values(EXIT).toSorted((a, b) => a - b))
})

test('the configuration page has every key', () => {
  const documented = tableWith('configuration/index.md', 'key').map(([key]) => key)
  expect(documented).toEqual(leafKeys(configSchema))
  const target = tableWith('configuration/targets-and-keys.md', 'key of a target').map(([key]) => key)
  expect(target).toEqual(remoteTargetKeys())
})

test('the page on languages has every text of the pages', () => {
  const documented = tableWith('service/interface-texts.md', 'message').map(([name = '']) =>
    name.replace(/\(.*/, ''),
  )
  expect(documented).toEqual(MESSAGE_KINDS.map(({ name }) => name))
})

test('the defaults on the configuration page are those of the program', () => {
  const stated = tableWith('configuration/index.md', 'key').filter(([, value = '']) => isLiteral(value))
  expect(stated.length).toBeGreaterThan(25)
  const untouched = settingsOf({})
  for (const [key = '', value = ''] of stated) {
    expect({ key, settings: settingsOf(nested(key.split('.'), evaluate(`(${value})`))) }).toEqual({
      key,
      settings: untouched,
    })
  }
})

test('the frontmatter page has every key', () => {
  expect(tableWith('writing/frontmatter.md', 'key').map(([key]) => key)).toEqual(FRONTMATTER_KEYS)
})

test('the page on categories and tags has every key', () => {
  const keys = tableWith('writing/categories-and-tags.md', 'key').map(([key = '']) => key)
  expect(keys.toSorted()).toEqual(CATEGORY_KEYS.toSorted())
  const tagKeys = paragraphAfter('writing/categories-and-tags.md', 'Tags', 'The keys are')
  expect(tagKeys.toSorted()).toEqual(TAG_KEYS.toSorted())
})

test('the variables are those that the program knows', () => {
  const documented = tableWith('configuration/environment-variables.md', 'variable').map(([name]) => name)
  const known = /reads (.*);/.exec(hintOf(() => readEnvironment({ KB_ZZZZZZZZZZZZ: 'x' })))?.[1]?.split(', ')
  expect(documented.filter((name) => name?.startsWith('KB_'))).toEqual(known)
})

test('the API page has every operation', () => {
  const named = inlineCodes(page('service/api.md').tree).filter((code) =>
    /^(GET|PUT|POST|DELETE|OPTIONS) /.test(code),
  )
  expect(named.toSorted()).toEqual(
    Object.values(routes)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
})

test('the page on the specification has every section that the code refers to', () => {
  const { children } = page('service/specification.md').tree
  const headings = new Set(children.flatMap((node) => (node.type === 'heading' ? [textOf(node)] : [])))
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('sites/'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  )
  const cited = sources
    .flatMap((text) => text.match(/"[^"\n]+"(?: and "[^"\n]+")? in the specification\b/g) ?? [])
    .flatMap((citation) => citation.match(/(?<=")[A-Z][^"]*(?=")/g) ?? [])
  expect(cited.length).toBeGreaterThan(20)
  expect(cited.filter((section) => !headings.has(section))).toEqual([])
})

// The command line.

test('every command has a page with exactly its flags', () => {
  for (const command of program().commands) {
    const documented = tableWith(`command-line/${command.name()}.md`, 'flag').map(([flag = '']) => flag)
    expect({ command: command.name(), flags: documented.toSorted() }).toEqual({
      command: command.name(),
      flags: command.options.flatMap(({ flags, hidden }) => (hidden ? [] : [flags])).toSorted(),
    })
  }
})

test('the page of kb report has each column of its table', () => {
  const columns = tableWith('command-line/report.md', 'column').flatMap(([names = '']) => names.split(', '))
  expect(columns).toEqual(CSV_COLUMNS)
})

test('the overview lists the commands and what they share', () => {
  const commands = tableWith('command-line/index.md', 'command').map(([name = '']) => name)
  expect(commands).toEqual(program().commands.map((command) => `kb ${command.name()}`))
  const [first, ...others] = program().commands.map(({ options }) => options.map(({ flags }) => flags))
  const shared = (first ?? []).filter(
    (flag) => flag !== '--json' && others.every((flags) => flags.includes(flag)),
  )
  const documented = tableWith('command-line/index.md', 'flag').map(([flag = '']) => flag)
  expect(documented).toEqual([...shared, '-h, --help'])
})

test('the page of kb admin has each of its commands with exactly its flags', () => {
  const admin = program().commands.find((command) => command.name() === 'admin') ?? new Command()
  const groups = admin.commands.flatMap((group) => leavesOf(group).map((leaf) => ({ group, leaf })))
  const built = groups.map(({ group, leaf }) => {
    const names = group === leaf ? [leaf.name()] : [group.name(), leaf.name()]
    const words = [...names, ...leaf.registeredArguments.map((argument) => `<${argument.name()}>`)]
    return [words.join(' '), leaf.options.map(({ flags }) => flags).join(', ')]
  })
  const rows = tableWith('command-line/admin.md', 'command of kb admin')
  expect(rows.map(([words, flags]) => [words, flags])).toEqual(built)
})

test('every command line that the guide shows is understood', () => {
  const lines = allBlocks.flatMap(commandLines)
  expect(lines.length).toBeGreaterThan(25)
  for (const line of lines) expect(() => dryParse(line.args), `${line.page}: ${line.text}`).not.toThrow()
})

/** What tools take on whose pages they are mentioned. */
const FLAGS_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'automation/eleventy.md': ['--dryrun', '--to', '--serve', '--watch'],
  'automation/vite.md': ['--watch', '--app'],
  'service/postgresql.md': ['--no-toast-compression'],
}

test('flags that the text mentions exist', () => {
  const known = new Set([
    '--help',
    ...allOf(program()).flatMap(({ options }) => options.map(({ long }) => long)),
  ])
  for (const { source, tree } of pages.values()) {
    // Of these, `--kb-…` are variables of stylesheets.
    const mentioned = inlineCodes(tree).flatMap(
      (code) => code.match(/(?<![\w!-])--(?!kb-)[a-z][a-z-]*/g) ?? [],
    )
    const unknown = mentioned.filter((flag) => !known.has(flag) && !FLAGS_OF_OTHERS[source]?.includes(flag))
    expect({ source, unknown }).toEqual({ source, unknown: [] })
  }
})

// The samples.

test('YAML samples are valid', () => {
  const samples = blocksIn('yaml').filter(({ page: source }) => source !== 'troubleshooting/diagnostics.md')
  expect(samples.length).toBeGreaterThan(8)
  for (const sample of samples)
    expect({ sample, problems: yamlProblems(sample) }).toEqual({ sample, problems: [] })
})

test('configuration samples are valid', () => {
  const samples = blocksIn('ts').filter(({ text }) => /defineConfig.*'kb-sync'/.test(text))
  expect(samples.length).toBeGreaterThan(7)
  for (const sample of samples)
    expect({ sample, problems: explainConfigProblems(evaluate(sample.text)) }).toEqual({
      sample,
      problems: [],
    })
})

test('the samples for Vite make the plugin', () => {
  const samples = blocksIn('ts').filter(({ text }) => text.includes("'kb-sync/vite'"))
  expect(samples.length).toBeGreaterThan(0)
  for (const { text } of samples) {
    // Vite's own defineConfig returns its argument, as ours does; loading Vite for that takes seconds.
    const withoutVite = text.replace("from 'vite'", "from 'kb-sync'")
    expect(evaluate(withoutVite)).toMatchObject({
      plugins: [expect.arrayContaining([expect.objectContaining({ name: 'kb-sync', apply: 'build' })])],
    })
  }
})

test('the library page has every export and every function', () => {
  const { tree, blocks } = page('automation/library.md')
  const imported = blocks.flatMap(
    ({ text }) => /import \{(.*)\} from 'kb-sync'/.exec(text)?.[1]?.split(',') ?? [],
  )
  const named = new Set([...imported.map((name) => name.trim()), ...inlineCodes(tree)])
  expect(Object.keys(library).filter((name) => !named.has(name))).toEqual([])
  expect(imported.map((name) => name.trim()).filter((name) => !(name in library))).toEqual([])
  const functions = tableWith('automation/library.md', 'function').map(([name]) => name)
  expect(functions).toEqual(Object.keys(library.createKb()))
})

test('the examples of the library page run, and print what it says', async () => {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', targets: { staging: { url: service.url } } }),
    'content/reset-password.md': markdownOf('Reset your password'),
  })
  mkdirSync(project.path('node_modules'))
  symlinkSync(ROOT, project.path('node_modules/kb-sync'))
  const examples = page('automation/library.md').blocks.filter(({ lang }) => lang === 'js')
  const shown = page('automation/library.md').blocks.find(({ lang }) => lang === 'text')
  const END = '--- end of an example'
  const names = examples.map((_, index) => `example-${index}.mjs`)
  for (const [index, { text }] of examples.entries())
    project.write({ [names[index] ?? '']: text.replace('/path/to/project', project.root) })
  // One after the other in one process: a process for each would load the library as often.
  const lines = names.map((name) => `await import('./${name}')\nconsole.log('${END}')\n`)
  project.write({ 'examples.mjs': lines.join('') })
  const { code, stdout, stderr } = await startCommand(process.execPath, ['examples.mjs'], {
    cwd: project.root,
    env: { KB_API_KEY: SERVICE_KEY },
  }).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const unchanged = '1 unchanged\n'
  expect(stdout.split(`${END}\n`)).toEqual([
    `${shown?.text}\n`,
    unchanged,
    '0 overdue, 0 broken\n0 limits exceeded\n',
    unchanged,
    '/help/reset-password Reset your password true 0\n',
    unchanged,
    '',
  ])
})

test('JSON samples are JSON', () => {
  const samples = blocksIn('json')
  expect(samples.length).toBeGreaterThan(3)
  for (const { text } of samples) expect(() => void JSON.parse(text)).not.toThrow()
})

test('every example of a problem has that problem', async () => {
  const examples = page('troubleshooting/diagnostics.md').blocks.filter(
    ({ section }) => section !== 'aliases-not-sent',
  )
  expect(examples.length).toBeGreaterThan(20)
  for (const { section, lang, text, file: named } of examples) {
    const usual = lang === 'yaml' ? 'content/_categories.yml' : 'content/example.md'
    const rules = {
      'asset-unused': 'off',
      ...(severityOf(section as DiagnosticCode, {}) === 'off' && { [section]: 'warning' }),
    }
    const languages = section === 'language-not-sent' ? ['en', 'es'] : ['en', 'de', 'fr']
    const project = createProject({
      ...SURROUNDINGS,
      'kb.config.mjs': `export default ${JSON.stringify({ rules, server: { languages }, ...CONFIGURATIONS[section] })}`,
      [named ?? usual]: text,
    })
    project.write({ 'content/large.png': pngOf(40_000) })
    const { diagnostics } = await library.createKb({ cwd: project.root }).check()
    const codes = diagnostics.filter(({ file }) => !/(twin|zwilling)\.md$/.test(file)).map(({ code }) => code)
    expect({ section, codes: [...new Set(codes)] }).toEqual({ section, codes: [section] })
  }
})

/** Examples of problems that depend on more than the text. */
const CONFIGURATIONS: Readonly<Record<string, KbConfig>> = {
  'asset-too-large': { assets: { maxSize: '39kB' } },
  'asset-unconfirmed': { target: { url: 'https://kb.example.com' } },
}

/** What the examples of problems point at. */
const SURROUNDINGS: Files = {
  'content/_categories.yml':
    '- { name: Guides, slug: guides }\n- { name: Shop, slug: shop }\n' +
    '- { name: Accounts, parent: Guides }\n- { name: Accounts, parent: Shop }\n',
  'content/_tags.yml': '- { name: Security, slug: security }\n',
  'content/twin.md': '---\ntitle: Twin\ncategories: [shop]\n---\n\nText.\n',
  'content/zwilling.md':
    '---\ntitle: Zwilling\nlanguage: de\ntranslationOf: twin\ncategories: [shop]\n---\n\nText.\n',
  'content/_snippets/contact.md': 'Write to us.\n',
  'content/_snippets/circle.md': '<!-- include: circle.md -->\n',
  'content/prices.pdf': 'not an image',
  'content/photo.png': 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;',
  'content/prices.pages': 'not stored',
}

// The guide as a knowledge base, and its tutorial followed.

test('the guide is a clean knowledge base whose links work', async () => {
  const project = guideProject()
  expect((await project.kb('check', '--json')).json).toEqual({
    version: 1,
    summary: { articles: pages.size, errors: 0, warnings: 0, fixable: 0 },
    diagnostics: [],
  })
  const synced = await project.kb('sync', '--json')
  expect({ code: synced.code, ...(synced.json as object) }).toMatchObject({
    code: 0,
    summary: { created: pages.size },
    diagnostics: [],
  })
  const articles = await builtinArticles(project)
  expect([...articles.values()].flatMap((article) => brokenLinks(article, articles))).toEqual([])
})

test('every tag is used by two articles at least', () => {
  const used = [...pages.values()].flatMap(({ frontmatter }) => frontmatter.tags ?? [])
  const tags = tagsSchema.parse(parseYaml(readFileSync(join(CONTENT, '_tags.yml'), 'utf8')))
  expect(tags.filter(({ slug }) => used.filter((tag) => tag === slug).length < 2)).toEqual([])
})

test('the quick start leads from an empty folder to an article', async () => {
  const { blocks } = page('getting-started/quick-start.md')
  const project = createProject()
  const outputs: string[] = []
  let url: string | undefined
  for (const { lang, file, text } of blocks) {
    if (lang === 'text') expect(outputs.at(-1)).toBe(`${text}\n`)
    else if (lang !== 'sh') project.write({ [file ?? '']: `${text}\n` })
    for (const line of lang === 'sh' ? text.split('\n') : []) {
      if (line.startsWith('npx kb-sync init '))
        await succeed(project, [...line.split(' ').slice(2), '--no-install'])
      else if (line === 'npx kb serve --pages') url = (await startServing(project, { args: ['--pages'] })).url
      else if (line.startsWith('npx kb ')) outputs.push(await succeed(project, line.split(' ').slice(2)))
      else if (line.startsWith('curl '))
        outputs.push(runShell(line.replace(SERVER_IN_GUIDE, url ?? ''), project))
      else expect(line).toMatch(/^(npm|mkdir) /)
    }
  }
  expect(JSON.parse(outputs.at(-1) ?? '')).toMatchObject({
    success: true,
    data: expect.arrayContaining([
      expect.objectContaining({ name: 'Reset your password', status: 'published' }),
    ]) as unknown,
  })
  expect((await project.kb('sync', '--json')).json).toMatchObject({ summary: { unchanged: 2 }, requests: {} })
})

test('kb check prints what the guide shows', async () => {
  const shown = page('command-line/check.md').blocks.find(({ section }) => section === 'Output')
  const others = Array.from({ length: 10 }, (_, index) => [`content/${index}.md`, markdownOf(`T${index}`)])
  const project = createProject({
    ...Object.fromEntries(others),
    'content/guides/printers.md': markdownOf('Printers'),
    'content/guides/prices.md':
      '---\ntitle: Prices\ncategories: [Guides]\n---\n\nSee [printers](Printers.md).\n',
  })
  expect((await project.kb('check')).stdout).toBe(`${shown?.text}\n`)
})

test('the JSON of a sync has the members that the guide shows', async () => {
  const shown = page('command-line/exit-codes-and-json.md').blocks.find(
    ({ section }) => section === 'kb plan --json and kb sync --json',
  )
  const project = createProject({
    'content/_categories.yml': '- { name: Guides, slug: guides }\n',
    'content/first.md': markdownOf('First'),
  })
  const { json } = await project.kb('plan', '--json')
  expect(membersOf(JSON.parse(shown?.text ?? ''))).toEqual(membersOf(json))
})

test('the JSON of kb init has the members that the guide shows', async () => {
  const shown = page('command-line/exit-codes-and-json.md').blocks.find(
    ({ section }) => section === 'kb init --json',
  )
  const project = createProject({ 'package.json': '{}' })
  const flags = ['--yes', '--no-install', '--ci', 'github', '--url', 'https://help.example.com', '--json']
  const { json } = await project.kb('init', ...flags)
  expect(membersOf(JSON.parse(shown?.text ?? ''))).toEqual(membersOf(json))
})

test('the curl examples of the API page work', async () => {
  const project = createProject({
    'content/_categories.yml': '- { name: Guides, slug: guides }\n',
    'content/_tags.yml': '- { name: Security, slug: security }\n',
    'content/first.md':
      '---\ntitle: First\naliases: [start]\ncategories: [guides]\ntags: [security]\n---\n\nText.\n',
  })
  await succeed(project, ['sync'])
  const { url, apiKey } = await startServing(project)
  const get = getFrom(url, apiKey)
  const [setUp, ...examples] = page('service/api.md').blocks.filter(({ lang }) => lang === 'sh')
  const samples = page('service/api.md').blocks.filter(({ lang }) => lang === 'json')
  for (const { text, section } of examples) {
    const script = [setUp?.text.replace(SERVER_IN_GUIDE, url), ...(await idsFor(get)), text].join('\n')
    const answer = JSON.parse(runShell(script, project)) as unknown
    expect({ section, answer }).toMatchObject({ section, answer: { success: true } })
    const sample = samples.find((block) => block.section === section)
    if (sample !== undefined) expect(membersOf(JSON.parse(sample.text))).toEqual(membersOf(answer))
  }
  expect(examples.map(({ section }) => section)).toHaveLength(Object.keys(routes).length)
  expect(samples.map(({ section }) => section)).toContain('Read an article')
})

// Reading the guide.

function readPage(source: string): Page {
  const text = readFileSync(join(CONTENT, source), 'utf8')
  const [, yaml = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const tree = unified().use(remarkParse).use(remarkGfm).parse(body)
  return {
    source,
    frontmatter: frontmatterSchema.parse(parseYaml(yaml)),
    tree,
    blocks: tree.children.flatMap((node, index) => blockOf(node, index, tree, source)),
  }
}

function blockOf(node: RootContent, index: number, { children }: Root, source: string): Block[] {
  if (node.type !== 'code') return []
  const before = children[index - 1]
  const isIntroduced = before?.type === 'paragraph' && textOf(before).endsWith(':')
  const heading = children.slice(0, index).findLast(({ type }) => type === 'heading')
  const section = heading === undefined ? '' : textOf(heading)
  const file = isIntroduced ? inlineCodes(before).at(-1) : undefined
  return [{ page: source, lang: node.lang ?? '', text: node.value, file, section }]
}

function page(source: string): Page {
  const found = pages.get(source)
  if (found === undefined) throw new Error(`The guide has no page ${source}`)
  return found
}

function blocksIn(lang: string): Block[] {
  return allBlocks.filter((block) => block.lang === lang)
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function inlineCodes(node: Nodes): string[] {
  const codes: string[] = []
  visit(node, 'inlineCode', ({ value }) => void codes.push(value))
  return codes
}

/** Codes of the headings of the form ### `code`. */
function codeHeadings(source: string): string[] {
  return page(source).tree.children.flatMap((node) =>
    node.type === 'heading' && node.depth === 3 ? inlineCodes(node) : [],
  )
}

/** The rows, as texts, of all tables of a page whose first column has this head. */
function tableWith(source: string, head: string): string[][] {
  const tables = page(source).tree.children.filter((node): node is Table => node.type === 'table')
  const rows = tables.map(({ children }) => children.map((row) => row.children.map(textOf)))
  return rows.flatMap(([first, ...others]) => (first?.[0] === head ? others : []))
}

/** The codes in the first sentence of the paragraph of a section that begins with these words. */
function paragraphAfter(source: string, section: string, words: string): string[] {
  const { children } = page(source).tree
  const start = children.findIndex((node) => node.type === 'heading' && textOf(node) === section)
  const found = children
    .slice(start)
    .find((node) => node.type === 'paragraph' && textOf(node).startsWith(words))
  return found === undefined ? [] : inlineCodes(found)
}

// The program's side.

function program() {
  return createProgram(createTerminal(process), () => undefined)
}

/** A command and all below it. */
function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => allOf(each))]
}

/** The commands that do something: those without commands of their own. */
function leavesOf(command: Command): Command[] {
  return allOf(command).filter(({ commands }) => commands.length === 0)
}

/** Understands a command line as the program would, and does nothing. */
function dryParse(args: readonly string[]): void {
  const parser = program().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  for (const command of leavesOf(parser)) command.action(() => undefined)
  parser.parse([...args], { from: 'user' })
}

interface CommandLine {
  readonly page: string
  readonly text: string
  readonly args: readonly string[]
}

/** The lines of shell blocks, and of the steps of a workflow, that run kb. */
function commandLines({ page: source, lang, text }: Block): CommandLine[] {
  if (lang !== 'sh' && lang !== 'yaml') return []
  return text.split('\n').flatMap((line) => {
    const match = /(?:^|run: |^- )(?:[A-Z_]+=(?:\$\(.*?\)|\S*) )*(?:npx )?kb(?:-sync)? (.*)$/.exec(
      line.trim(),
    )
    const command = match?.[1]?.replace(/ >>? .*$/, '')
    return command === undefined ? [] : [{ page: source, text: line, args: shellWords(command) }]
  })
}

/** Words as a shell makes them of a simple line. */
function shellWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

function settingsOf(config: KbConfig): object {
  const context = { root: '/project', configFile: undefined, packageName: undefined, programVersion: '1' }
  const { settingsDigest, renderDigest, articleUrl, categoryUrl, tagUrl, ...settings } = normaliseConfig(
    config,
    context,
  )
  expect([settingsDigest, renderDigest].map((digest) => digest.length)).toEqual([32, 32])
  const urls = [articleUrl, categoryUrl, tagUrl].map((urlOf) => urlOf({ slug: 'a b', language: 'fr' }))
  return { ...settings, urls }
}

/** Whether a cell of the defaults holds a value and no sentence. */
function isLiteral(cell: string): boolean {
  return /^('[^']*'|[\d_]+|true|false|\[.*\]|\{\})$/.test(cell)
}

function nested(path: readonly string[], value: unknown): KbConfig {
  const [key = '', ...rest] = path
  return { [key]: rest.length === 0 ? value : nested(rest, value) }
}

/** Runs a sample and returns its default export; an expression is taken as one. */
function evaluate(sample: string): unknown {
  const jiti = createJiti(import.meta.url, {
    alias: { 'kb-sync/vite': join(ROOT, 'src/plugins/vite.ts'), 'kb-sync': join(ROOT, 'src/index.ts') },
  })
  const source = sample.includes('export default') ? sample : `export default ${sample}`
  const filename = join(ROOT, 'guide-sample.ts')
  return (jiti.evalModule(source, { filename, async: false }) as { readonly default: unknown }).default
}

/** Paths of all keys that hold a value; what is an object only by one of its forms counts as a value. */
function leafKeys(schema: z.core.$ZodType, path: readonly string[] = []): string[] {
  const shape = shapeOf(schema)
  // Rules have a page of their own.
  if (shape === undefined || path.join('.') === 'rules') return [path.join('.')]
  return Object.entries(shape).flatMap(([key, value]) => leafKeys(value, [...path, key]))
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const def = schema._zod.def as { innerType?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> }
  return def.innerType === undefined ? def.shape : shapeOf(def.innerType)
}

function remoteTargetKeys(): string[] {
  const { valueType } = configSchema.shape.targets.unwrap().def
  return Object.keys(shapeOf(valueType) ?? {})
}

function hintOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return error instanceof library.KbError ? (error.hint ?? '') : ''
  }
  return ''
}

/** What tells the pipelines of GitHub and GitLab from files of ours. */
const PIPELINE_KEYS = ['jobs', '.kb', 'kb-report', 'include', 'repos']

function yamlProblems({ file = '', text }: Block): string[] {
  const value: unknown = parseYaml(text)
  if (typeof value === 'object' && value !== null && PIPELINE_KEYS.some((key) => key in value)) return []
  const isTags = file.endsWith('_tags.yml')
  const schema = Array.isArray(value) ? (isTags ? tagsSchema : categoriesSchema) : frontmatterSchema
  const result = schema.safeParse(value)
  return result.success ? [] : result.error.issues.map(({ message }) => message)
}

// Running what the guide shows.

function guideProject(): TestProject {
  const project = createProject({ 'kb.config.ts': readFileSync(join(ROOT, 'kb.config.ts'), 'utf8') })
  cpSync(CONTENT, project.path('content'), { recursive: true })
  return project
}

async function succeed(project: TestProject, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await project.kb(...args)
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

function runShell(script: string, { root }: TestProject): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], { cwd: root, encoding: 'utf8' })
  expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: '' })
  return stdout
}

/** The ids that the examples stand for, as assignments: of the category, the tag, and the article made last. */
async function idsFor(get: (path: string) => Promise<unknown>): Promise<string[]> {
  const list = async (path: string) => ((await get(path)) as { data: { id: string; name: string }[] }).data
  const [category] = await list('/api/v2/categories')
  const articles = await list('/api/v2/tools/review_dates')
  const first = articles.find(({ name }) => name === 'First')
  const { tags } = (await get(`/api/v2/articles/${first?.id}`)) as { tags: { value: string }[] }
  const article = articles.find(({ name }) => name === 'Contact us')
  return [`CATEGORY=${category?.id}`, `TAG=${tags[0]?.value}`, `ARTICLE=${article?.id}`]
}

/** Members by name: what a document is made of, whatever it holds. */
function membersOf(document: unknown): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(document as object).map(([key, value]) => {
      const first: unknown = Array.isArray(value) ? value[0] : value
      const isCount = key === 'requests' || key === 'diagnostics'
      return [
        key,
        isCount || typeof first !== 'object' || first === null ? [] : Object.keys(first).toSorted(),
      ]
    }),
  )
}

function brokenLinks({ slug, content }: ReadArticle, articles: ReadonlyMap<string, ReadArticle>): string[] {
  const hrefs = [...content.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href)
  const broken = hrefs.filter((href) => {
    if (/^https:|^#top$/.test(href)) return false
    const [path = '', fragment] = href.split('#')
    const target = path === '' ? content : articles.get(path.replace('/articles/', ''))?.content
    return (
      target === undefined ||
      (fragment !== undefined && !target.includes(` id="${decodeURIComponent(fragment)}"`))
    )
  })
  return broken.map((href) => `${slug}: ${href}`)
}
