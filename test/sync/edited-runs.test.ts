// A run that reads and plans only the edited articles ends like a full run.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readIndexed } from '../../src/content/pipeline/article-index.ts'
import { loadArticleCompiler } from '../../src/content/pipeline/compile-edit.ts'
import { contentOptions } from '../../src/content/pipeline/content-options.ts'
import { openRenderCache } from '../../src/content/pipeline/render-cache.ts'
import { loadConfig } from '../../src/core/config/load-config.ts'
import type { PresetName } from '../../src/core/dialects/dialects.ts'
import {
  type SyncStage,
  hasErrors,
  type SyncContentOptions,
  type SyncResult,
} from '../../src/sync/sync-options.ts'
import { findEdited } from '../../src/sync/find-unchanged.ts'
import { findContent } from '../../src/sync/open-content.ts'
import { loadState } from '../../src/sync/state/state-file.ts'
import { stateFiles, workspaceOf } from '../../src/sync/state/workspace.ts'
import { describeTarget } from '../support/describe-target.ts'
import { configFile, createProject, type TestProject } from '../support/project.ts'
import {
  ARTICLE_SOURCES,
  type ContentChange,
  contentChange,
  makeChange,
  startingContent,
} from '../support/random-content.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { syncInProcess } from '../support/sync-in-process.ts'

const RUNS = readRuns('HISTORIES', 20)

const CONFIG = {
  project: 'demo',
  content: 'content',
  defaultLanguage: 'en',
  // The spread of review dates depends on the number of articles that one run creates.
  defaults: { reviewSpread: '0d' },
  server: { languages: ['en', 'fr'] },
} as const

/** With broken links as warnings, more edits have an effect on other articles without stopping the run. */
const rulesWith = (brokenLinks: 'error' | 'warning') => ({
  'link-file-missing': brokenLinks,
  'link-heading-missing': brokenLinks,
  'asset-missing': brokenLinks,
  // A new file that nothing uses is noticed by the next full run.
  'asset-unused': 'off',
  'article-orphaned': 'warning',
  'tag-used-once': 'warning',
})

interface DoneRun {
  readonly result: SyncResult
  /** True if only edited articles were read. */
  readonly isShort: boolean
  /** True if the target was not even opened. */
  readonly isIdle: boolean
}

async function sync(root: string, changes: Partial<SyncContentOptions> = {}): Promise<DoneRun> {
  const stages = new Set<SyncStage>()
  const result = await syncInProcess(root, { onStage: (stage) => stages.add(stage), ...changes })
  const isIdle = !stages.has('connect')
  return { result, isIdle, isShort: !isIdle && !stages.has('link') }
}

async function filesOf(root: string) {
  const settings = await loadConfig({ cwd: root })
  return stateFiles(settings.target, settings, workspaceOf(settings.root))
}

/** A run that ends where a stage begins, as if it were killed there. `record` comes twice: for the state, and for the mark. */
interface Kill {
  readonly stage: SyncStage
  readonly turn: number
}

class Killed extends Error {}

async function syncUntil(root: string, { stage, turn }: Kill): Promise<void> {
  let count = 0
  const onStage = (each: SyncStage) => {
    if (each === stage && ++count === turn) throw new Killed()
  }
  await syncInProcess(root, { onStage }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
}

/** A copy with the state, but without the data for a short run. */
async function copyForFullRun({ root }: TestProject): Promise<string> {
  const copy = createProject()
  for (const name of ['kb.config.ts', 'content', '.kb/kb.db', '.kb/cache'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy.root, name), { recursive: true })
  const [from, to] = [await filesOf(root), await filesOf(copy.root)]
  for (const name of ['state', 'journal'] as const)
    if (existsSync(from[name])) cpSync(from[name], to[name], { recursive: true })
  return copy.root
}

/** Excludes ids and times, which differ between two databases. */
function plain({ result }: DoneRun) {
  const { requests: _, unrecorded: __, warnings: ___, operations, orphans, drafts, ...rest } = result
  return {
    ...rest,
    recovery: undefined,
    // A run that finds nothing changed does not list them.
    drafts: operations.length === 0 ? undefined : drafts,
    operations: operations.map(({ id: _id, ...operation }) => operation),
    orphans: operations.length === 0 ? [] : orphans.map(({ slug }) => slug),
  }
}

/** Excludes ids. If the run has created categories, their ids are in these hashes. */
async function knownOf(root: string, { operations }: SyncResult) {
  const { articles, awaited, taxonomy } = loadState((await filesOf(root)).state, 'demo')
  const hasNewIds = operations.some(({ kind, action }) => kind !== 'article' && action === 'create')
  const hidden = {
    id: '',
    editedMs: 0,
    languageParent: '',
    ...(hasNewIds && { fingerprint: '', fieldsHash: '', htmlHash: '' }),
  }
  const records = articles.map((record) => ({ ...record, ...hidden }))
  return { articles: records, awaited, taxonomy }
}

async function assertSameAsFull(project: TestProject): Promise<DoneRun> {
  const copy = await copyForFullRun(project)
  const planned = await sync(project.root, { mode: 'plan' })
  expect(plain(planned)).toEqual(plain(await sync(copy, { mode: 'plan' })))
  const done = await sync(project.root)
  expect(plain(done)).toEqual(plain(await sync(copy)))
  expect(await describeTarget(project.path('.kb/kb.db'))).toEqual(
    await describeTarget(join(copy, '.kb/kb.db')),
  )
  expect(await knownOf(project.root, done.result)).toEqual(await knownOf(copy, done.result))
  const again = await sync(project.root)
  expect(again.result.operations).toEqual(done.result.operations.filter(({ outcome }) => outcome !== 'done'))
  expect(again.result.diagnostics).toEqual(done.result.diagnostics)
  return done
}

const TAGS = '- name: setup\n- name: billing\n'

/** Mostly changes the text of an article, with existing names. */
const edit: fc.Arbitrary<ContentChange> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      source: fc.constantFrom(...ARTICLE_SOURCES),
      text: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('heading' as const),
      source: fc.constantFrom(...ARTICLE_SOURCES),
      text: fc.constantFrom('Details', 'Steps', 'Others'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      source: fc.constantFrom(...ARTICLE_SOURCES),
      text: fc.constantFrom('draft', 'published'),
    }),
  },
  { weight: 4, arbitrary: contentChange({ mistakes: false }).map(withKnownNames) },
)

function withKnownNames(change: ContentChange): ContentChange {
  if (change.kind === 'tags') return { ...change, text: TAGS }
  if (change.kind !== 'write') return change
  const { article } = change
  const tags = article.tags.filter((tag) => TAGS.includes(`${tag}\n`))
  return { ...change, article: { ...article, tags, translationOf: undefined, slug: undefined } }
}

interface StartOptions {
  readonly preset?: PresetName | undefined
  readonly brokenLinks?: 'error' | 'warning'
}

/** Without a preset, categories are listed in a file; with one, they are folders. */
function start({ preset, brokenLinks = 'error' }: StartOptions = {}): TestProject {
  const rules = rulesWith(brokenLinks)
  const project = createProject({
    'kb.config.ts': configFile({ ...CONFIG, rules, ...(preset && { preset }) }),
  })
  for (const change of [...startingContent(), { kind: 'tags', text: TAGS } as const])
    if (preset === undefined || change.kind !== 'categories') makeChange(project.path('content'), change)
  return project
}

const kill = fc.option(
  fc.record({ stage: fc.constantFrom<SyncStage>('connect', 'send', 'record'), turn: fc.constantFrom(1, 2) }),
  { nil: undefined, freq: 3 },
)

const burst = fc.record({ changes: fc.array(edit, { minLength: 1, maxLength: 2 }), kill })

const anyHistory = fc.record({
  preset: fc.constantFrom<(PresetName | undefined)[]>(undefined, undefined, 'folder', 'docusaurus', 'mkdocs'),
  brokenLinks: fc.constantFrom<('error' | 'warning')[]>('error', 'warning'),
  bursts: fc.array(burst, { minLength: 2, maxLength: 6 }),
})

test('any history of edits and kills', timeoutOf(RUNS, 30_000), async () => {
  let shortRuns = 0
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ bursts, ...options }) => {
      const project = start(options)
      await sync(project.root)
      for (const { changes, kill: killed } of bursts) {
        for (const change of changes) makeChange(project.path('content'), change)
        if (killed !== undefined) await syncUntil(project.root, killed)
        const { isShort } = await assertSameAsFull(project)
        if (isShort) shortRuns++
      }
    }),
    { ...RUNS, endOnFailure: true },
  )
  expect(shortRuns).toBeGreaterThan(0)
})

test('a run that prunes is short or idle only after one that has pruned', async () => {
  const project = start()
  const source = 'index.md'
  const maxDeletes = { kind: 'share', share: 1 } as const
  const run = (prune: boolean) => sync(project.root, { prune, maxDeletes, onError: 'hold' })
  await run(true)
  makeChange(project.path('content'), { kind: 'append', source, text: 1 })
  expect(await run(true)).toMatchObject({ isShort: true, result: { heldBack: [], summary: { updated: 1 } } })
  expect(await run(true)).toMatchObject({ isIdle: true, result: { heldBack: [], operations: [] } })
  rmSync(project.path(`content/${source}`))
  expect(await run(false)).toMatchObject({ isShort: false, result: { summary: { orphans: 1 } } })
  expect(await run(false)).toMatchObject({ isIdle: true, result: { summary: { orphans: 1 } } })
  expect(await run(true)).toMatchObject({ isIdle: false, result: { summary: { deleted: 1, orphans: 0 } } })
  expect(await run(true)).toMatchObject({ isIdle: true, result: { summary: { deleted: 0 } } })
})

const GUIDES = { 'content/_categories.yml': '- name: Guides\n  slug: guides\n' }

const FRONTMATTER = (title: string) =>
  `---\ntitle: ${title}\ncategories: [guides]\nstatus: published\n---\n\n`

/** Compares each run with a full one. @returns for each edit, true if its run was short */
async function runEdits(
  files: Record<string, string>,
  edits: ReadonlyArray<(project: TestProject) => void>,
): Promise<boolean[]> {
  const project = createProject(files)
  expect(hasErrors((await sync(project.root)).result)).toBe(false)
  const areShort: boolean[] = []
  for (const change of edits) {
    change(project)
    areShort.push((await assertSameAsFull(project)).isShort)
  }
  return areShort
}

test('a renamed heading breaks and repairs the links of other articles', async () => {
  const a = (heading: string) => (project: TestProject) =>
    project.write({ 'content/a.md': `${FRONTMATTER('A')}## ${heading}\n` })
  const files = {
    ...GUIDES,
    'kb.config.ts': configFile({ ...CONFIG, rules: rulesWith('warning') }),
    'content/a.md': `${FRONTMATTER('A')}## Head\n`,
    'content/b.md': `${FRONTMATTER('B')}See [a](a.md#head).\n`,
  }
  expect(await runEdits(files, [a('Other'), a('Head'), a('Another')])).toEqual([true, true, true])
})

test('an image that was missing, or too large, is sent', async () => {
  const image = (bytes: number) => (project: TestProject) =>
    makeChange(project.path('content'), { kind: 'image', source: 'img/one.png', bytes })
  const config = { 'asset-missing': 'warning', 'asset-too-large': 'warning' }
  const files = {
    ...GUIDES,
    'kb.config.ts': configFile({ project: 'demo', rules: config }),
    'content/a.md': `${FRONTMATTER('A')}![Picture](img/one.png)\n`,
  }
  expect(await runEdits(files, [image(100), image(50_000), image(101)])).toEqual([false, false, false])
})

test('an edited article has its own links if a translation of it is edited as well', async () => {
  const write = (text: string) => ({
    'content/a.md': `${FRONTMATTER('A')}${text}\n`,
    'content/fr.md': FRONTMATTER('F').replace('status:', 'language: fr\ntranslationOf: a.md\nstatus:') + text,
  })
  const project = createProject({
    ...GUIDES,
    'kb.config.ts': configFile(CONFIG),
    ...write('[B](b.md), [C](c.md)'),
    'content/b.md': FRONTMATTER('B'),
    'content/c.md': FRONTMATTER('C'),
  })
  expect(hasErrors((await sync(project.root)).result)).toBe(false)
  project.write(write('[C](c.md), [B](b.md)'))
  const settings = await loadConfig({ cwd: project.root })
  const found = await findContent(settings)
  const edited = await findEdited({ settings, found, files: await filesOf(project.root) })
  if (edited === undefined) throw new Error('There is no index.')
  const options = contentOptions(settings)
  const cache = openRenderCache(workspaceOf(settings.root).cacheFile)
  try {
    const compiler = await loadArticleCompiler(options, false)
    const { mark, index } = edited.last
    const request = { options, found, rows: index.rows, assets: new Set(mark.assets), cache, compiler }
    const read = readIndexed(edited.sources, index.content, request)
    const html = '<p><a href="/articles/c">C</a>, <a href="/articles/b">B</a></p>'
    expect(read?.edits.map(({ article }) => [article.source, read.readHtml(article).trim()])).toEqual([
      ['a.md', html],
      ['fr.md', html],
    ])
  } finally {
    cache.close()
  }
})

test('the page of a folder names its category after an edit', async () => {
  const page = (title: string) => ({ 'content/guide/_index.md': `---\ntitle: ${title}\n---\n\nWelcome.\n` })
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', preset: 'hugo' }),
    ...page('Guide'),
    'content/guide/about.md': '---\ntitle: About\n---\n\nText.\n',
  })
  await sync(project.root)
  project.write(page('Start'))
  const { operations } = (await sync(project.root)).result
  expect(operations).toContainEqual(
    expect.objectContaining({ kind: 'category', action: 'update', slug: 'guide' }),
  )
})
