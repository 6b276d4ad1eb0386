// A report with articles from the index of a sync equals one that loads all files.
import { existsSync, renameSync } from 'node:fs'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LenientAuthoredEntry, LenientLinkEntry } from '../../../src/api/contract/lenient.ts'
import type { EntrySink } from '../../../src/api/client/stream-lists.ts'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import type { OnError } from '../../../src/core/config/schema.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import type { ReportTask } from '../../../src/inspect/report/report-task.ts'
import { runReport } from '../../../src/inspect/report/run-report.ts'
import { findContent } from '../../../src/sync/open-content.ts'
import { openIndexedContent } from '../../../src/sync/indexed-content.ts'
import { stateFiles, workspaceOf } from '../../../src/sync/state/workspace.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { connectInProcess } from '../../support/connect-in-process.ts'
import { article, configFile, createProject } from '../../support/project.ts'
import {
  ARTICLE_SOURCES,
  type ContentChange,
  contentChange,
  makeChange,
  startingContent,
} from '../../support/random-content.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { syncInProcess } from '../../support/sync-in-process.ts'
import { type ListingService, startListingService } from './listing-service.ts'
import { createReportProject } from './report-project.ts'

const RUNS = readRuns('HISTORIES', 20)

let service: ListingService

beforeAll(async () => {
  service = await startListingService()
})
afterAll(() => service.close())

const REVIEW_DATES = ['2027-01-31', '2027-03-20', '9999-12-31', '', 'soon', '2028-01-31']

/** Adds due reviews and broken links to the lists of the built-in target. */
async function listFindings({ settings }: Pick<ReportTask, 'settings'>): Promise<void> {
  const { client, close } = await connectInProcess(settings)({ readOnly: true, signal: undefined })
  const dates = await client.streamAuthoredReviewDates(collectAll<LenientAuthoredEntry>)
  const links = await client.streamLinks(collectAll<LenientLinkEntry>)
  await close()
  Object.assign(service.listed, {
    reviewDates: dates.map((entry, index) => ({
      ...entry,
      article_review_date: REVIEW_DATES[index % REVIEW_DATES.length],
    })),
    links: links.flatMap((entry, index) => [
      { ...entry, working: index % 3 === 0 },
      { ...entry, id: `${entry.id} cut`, url: entry.url?.replace(/#.*/, ''), working: false },
    ]),
  })
}

function collectAll<Entry>(): EntrySink<Entry, Entry[]> {
  const entries: Entry[] = []
  return { add: (entry) => entries.push(entry), end: () => entries }
}

async function taskOf(root: string): Promise<ReportTask> {
  const settings = await loadConfig({ cwd: root })
  return {
    settings,
    target: settings.target,
    connect: createReportProject(service.url, {}).connect,
    sources: undefined,
    dueWithinDays: 30,
    thresholds: { failOn: ['broken'], maxOverdue: undefined },
    ignoredLinks: [],
    baseline: undefined,
    owners: undefined,
    external: undefined,
    keepsHistory: false,
    now: () => new Date('2027-03-15T12:00:00Z'),
    sleep: () => Promise.resolve(),
    env: {},
  }
}

interface SameReport {
  /** False if the report had to load all files. */
  readonly isIndexed: boolean
  readonly report: Report
}

/** Creates the report in both ways. */
async function assertSameAsFull(root: string): Promise<SameReport> {
  const task = await taskOf(root)
  await listFindings(task)
  const report = await runReport(task)
  const { settings } = task
  const files = stateFiles(task.target, settings, workspaceOf(root))
  const indexed = await openIndexedContent(settings, await findContent(settings), files)
  indexed?.cache.close()
  if (existsSync(files.articles)) renameSync(files.articles, `${files.articles}.hidden`)
  expect(JSON.stringify(report)).toBe(JSON.stringify(await runReport(task)))
  if (existsSync(`${files.articles}.hidden`)) renameSync(`${files.articles}.hidden`, files.articles)
  return { isIndexed: indexed !== undefined, report }
}

const TEXTS = [
  'Details',
  'Details\n\n<https://x.example.org/a%20b?c&d#e>, [mail](mailto:a@example.org) and [that][1]',
  'Steps\n\n[1]: https://y.example.org/ "Y"\n\n![no](img/none.png) [none](none.md) [b](/guides/b.md#none)',
] as const

const edit: fc.Arbitrary<ContentChange> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('heading' as const),
      source: fc.constantFrom(...ARTICLE_SOURCES),
      text: fc.constantFrom(...TEXTS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      source: fc.constantFrom(...ARTICLE_SOURCES),
      text: fc.constantFrom('draft', 'published', 'published\nreviewDate: 2027-01-31'),
    }),
  },
  { weight: 3, arbitrary: contentChange({ mistakes: false }) },
  { weight: 1, arbitrary: contentChange({ mistakes: true }) },
)

const anyHistory = fc.record({
  preset: fc.constantFrom<(PresetName | undefined)[]>(undefined, undefined, 'folder', 'docusaurus', 'hugo'),
  onError: fc.constantFrom<OnError>('stop', 'hold', 'hold'),
  /** Young stamps are not trusted. */
  areSettled: fc.boolean(),
  steps: fc.array(fc.record({ changes: fc.array(edit, { maxLength: 2 }), isSynced: fc.boolean() }), {
    minLength: 2,
    maxLength: 6,
  }),
})

const warnings = (...rules: readonly string[]) => Object.fromEntries(rules.map((rule) => [rule, 'warning']))

const CONFIG = {
  project: 'demo',
  content: 'content',
  defaultLanguage: 'en',
  server: { languages: ['en', 'fr'] },
  rules: {
    ...warnings('link-file-missing', 'link-heading-missing', 'asset-missing', 'link-not-article'),
    'asset-unused': 'off',
  },
} as const

test('any history of edits and syncs', timeoutOf(RUNS, 20_000), async () => {
  const brokenLinks: number[] = []
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ preset, onError, areSettled, steps }) => {
      const project = createProject({ 'kb.config.ts': configFile({ ...CONFIG, ...(preset && { preset }) }) })
      for (const change of startingContent())
        if (preset === undefined || change.kind !== 'categories') makeChange(project.path('content'), change)
      const now = () => new Date(Date.now() + (areSettled ? 5000 : 0))
      for (const { changes, isSynced } of [{ changes: [], isSynced: true }, ...steps]) {
        for (const change of changes) makeChange(project.path('content'), change)
        if (isSynced) await syncInProcess(project.root, { now, onError })
        const { isIndexed, report } = await assertSameAsFull(project.root)
        if (isIndexed) brokenLinks.push(report.counts.broken)
      }
    }),
    { ...RUNS, endOnFailure: true },
  )
  expect(Math.max(...brokenLinks)).toBeGreaterThan(0)
})

test('a remote target', async () => {
  const file = (body: string) => article('A', { body: `${body}\n\n<https://x.example.org/>` })
  const project = createProject({
    'kb.config.ts': configFile(CONFIG),
    'content/_categories.yml': '- name: Guides\n  slug: guides\n',
    'content/a.md': file('Text.'),
  })
  // A run on a remote target reads no revision.
  const sync = () => syncInProcess(project.root, { readRevision: undefined })
  expect(await sync()).toMatchObject({ unrecorded: undefined, summary: { created: 1 } })
  expect(await assertSameAsFull(project.root)).toMatchObject({
    isIndexed: true,
    report: { counts: { broken: 1 }, links: { broken: { entries: [{ places: [{ line: 8 }] }] } } },
  })
  project.write({ 'content/a.md': file('More\n\ntext.') })
  expect(await assertSameAsFull(project.root)).toMatchObject({
    isIndexed: true,
    report: { links: { broken: { entries: [{ places: [{ line: 10 }] }] } } },
  })
})
