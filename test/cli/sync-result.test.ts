// The output of a run for people: advice on conflicts, and backups.
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatSyncMarkdown } from '../../src/cli/results/format-sync-markdown.ts'
import { formatSyncResult } from '../../src/cli/results/format-sync-result.ts'
import type { CONFLICT_REASONS, OperationResult } from '../../src/core/model/plan.ts'
import { hasErrors, type SyncResult } from '../../src/sync/sync-options.ts'
import { article, type Files } from '../support/project.ts'
import { type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, type RunOptions, type SyncProject } from '../support/sync-project.ts'

const TWO: Files = { 'content/first.md': article('First'), 'content/second.md': article('Second') }
const PLACE = { colors: pc.createColors(false), columns: 80 }
const PROJECT = { root: '/p', contentRoot: '/p/content' }

const print = (result: SyncResult, verbose = false) =>
  formatSyncResult(result, { dryRun: false, verbose, quiet: false, project: PROJECT }, PLACE)

/** Returns the list of operations without the summary. */
const listOf = (text: string) => text.slice(0, text.indexOf('\nArticles:'))

type Disturb = (service: StrictService, project: SyncProject) => void

const changeSecond: Disturb = (_, project) =>
  project.write({ 'content/second.md': article('Second', { body: 'Changed in the file.' }) })

const removeSecond: Disturb = (_, project) => project.remove('content/second.md')

test.each<[keyof typeof CONFLICT_REASONS, Disturb, RunOptions, string]>([
  [
    'edited',
    (service, project) => {
      for (const slug of ['first', 'second']) service.edit(slug, { title: `${slug}, edited` })
      changeSecond(service, project)
      project.write({ 'content/first.md': article('First', { body: 'Changed, too.' }) })
    },
    {},
    `  ! conflict first.md (it was edited on the target)
  ! conflict second.md (it was edited on the target)

  hint: kb pull PATH copies the edit made on the target into the file.
    If the file was changed in the same place, copy what you want by hand;
    kb plan PATH --diff shows both. kb sync PATH --on-conflict overwrite
    sends the file, and discards the edit on the target.
`,
  ],
  [
    'orphanEdited',
    (service, project) => {
      service.edit('second', { title: 'Second, edited' })
      removeSecond(service, project)
    },
    { prune: true },
    `  ! conflict second.md (it has no file, but it was edited on the target)

  hint: Restore the file, or delete the edited article anyway with
    kb sync --prune --on-conflict overwrite.
`,
  ],
  [
    'draft',
    (service, project) => {
      service.edit('second', { draftId: 'draft-1' })
      changeSecond(service, project)
    },
    {},
    `  ! conflict second.md (it has an open draft on the target)

  hint: Publish or discard the draft on the target, then run kb sync again.
`,
  ],
  [
    'orphanDraft',
    (service, project) => {
      service.edit('second', { draftId: 'draft-1' })
      removeSecond(service, project)
    },
    { prune: true },
    `  ! conflict second.md (it has no file, but it has an open draft on the target)

  hint: Publish or discard the draft on the target, then run kb sync --prune.
`,
  ],
  [
    'foreign',
    (service, project) => {
      service.add({ title: 'Older', slug: 'third', content: '<p>By hand</p>' })
      project.write({ 'content/third.md': article('Third') })
    },
    {},
    `  ! conflict third.md
      the slug belongs to an article that kb-sync did not create

  hint: Use another slug, or take over that article: kb sync --adopt SLUG.
`,
  ],
  [
    'original',
    (service, project) => {
      const languageParent = service.articleAt('second').id
      service.add({ title: 'Zweite', slug: 'zweite', language: 'de', languageParent })
      changeSecond(service, project)
    },
    { prune: true },
    `  ! conflict second.md
      it is the original of a translation, which would lose it

  hint: The target cannot change an article in place.
    Make the same change there, or remove the relation from its translation.
`,
  ],
  [
    'slugHeld',
    (service, project) => {
      service.edit('second', { draftId: 'draft-1' })
      project.write({
        'content/second.md': article('Second', { slug: 'moved' }),
        'content/third.md': article('Third', { slug: 'second' }),
      })
    },
    {},
    `  ! conflict second.md (it has an open draft on the target)
  ! conflict third.md
      the slug is still used by another managed article, which cannot be sent
      now

  hint: Publish or discard the draft on the target, then run kb sync again.
  hint: First resolve the conflict of the article that uses the slug.
`,
  ],
])('what to do about a conflict: %s', async (_, disturb, options, expected) => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  disturb(service, project)
  expect(listOf(print(await project.sync(options)))).toBe(expected)
})

test("advice on another project's slug, and on messages of the target", async () => {
  const service = await startStrictService()
  await createSyncProject(service.url, TWO).sync()
  const other = createSyncProject(service.url, TWO, { project: 'other' })
  const result = await other.sync()
  expect(listOf(print(result))).toContain(
    '  hint: Use another slug, or take over that article: kb sync --adopt SLUG.\n',
  )
  const inOtherWords = result.operations.map((operation) => ({ ...operation, reason: 'Slug taken.' }))
  expect(print({ ...result, operations: inOtherWords })).not.toContain('hint')
})

test('a quiet run names what was not sent, with the reason', () => {
  const operations = (['done', 'failed', 'planned'] as const).map((outcome): OperationResult => {
    const operation = { kind: 'article', action: 'update', slug: outcome, language: null } as const
    const reason = outcome === 'failed' ? { reason: 'the target refused it' } : {}
    return { ...operation, id: outcome, source: `${outcome}.md`, outcome, ...reason }
  })
  const format = { dryRun: false, verbose: false, quiet: true, project: PROJECT }
  const quiet = (listed: readonly OperationResult[]) =>
    listOf(formatSyncResult(resultOf(listed), format, PLACE))
  expect(quiet(operations)).toBe('  x failed   failed.md (the target refused it)\n')
  expect(formatSyncResult(resultOf(operations.slice(0, 1)), format, PLACE)).toMatch(/^Articles: /)
})

test('every operation that overwrote something is listed, with its backup', () => {
  const operations = Array.from({ length: 12 }, (_, index): OperationResult => {
    const slug = `page-${index}`
    const operation = {
      kind: 'article',
      action: 'update',
      source: `${slug}.md`,
      slug,
      language: null,
    } as const
    const overwritten = {
      reason: 'overwrites an edit made on the target',
      backup: `.kb/backups/2026-03-01T12-00-00.000Z-${slug}.json`,
    }
    return { ...operation, id: slug, outcome: 'done', ...(index % 9 === 2 && overwritten) }
  })
  expect(listOf(print(resultOf(operations)))).toBe(`  ~ updated  page-0.md
  ~ updated  page-1.md
  ~ updated  page-2.md (overwrites an edit made on the target)
      kept in .kb/backups/2026-03-01T12-00-00.000Z-page-2.json
  ~ updated  page-3.md
  ~ updated  page-4.md
  ~ updated  page-11.md (overwrites an edit made on the target)
      kept in .kb/backups/2026-03-01T12-00-00.000Z-page-11.json
    and 6 more (--verbose lists all)
`)
  expect(print(resultOf(operations), true).match(/ updated /g)).toHaveLength(12)
})

test('an article without a file is named by its former path, else by its title', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, {
    ...TWO,
    'content/folder/third.md': article('The third one', { slug: 'x-3' }),
  })
  await project.sync()
  project.remove('content/folder/third.md')
  const known = await project.plan({ prune: true })
  expect(print(known)).toContain('- deleted  folder/third.md (its file is gone)')
  expect([known.summary.deleted, known.summary.orphans, known.orphans]).toEqual([1, 0, []])
  project.forgetState()
  const deleted = await project.sync({ prune: true })
  expect(print(deleted)).toContain('- deleted  The third one (its file is gone)')
  expect([deleted.summary.deleted, deleted.summary.orphans]).toEqual([1, 0])
})

test('a plan that deletes nothing counts orphans', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  project.remove('content/first.md', 'content/second.md')
  const [plan, held] = [await project.plan(), await project.plan({ prune: true })]
  const countsOf = ({ summary: { deleted, orphans, skipped } }: SyncResult) => ({ deleted, orphans, skipped })
  expect([countsOf(plan), countsOf(held)]).toEqual([
    { deleted: 0, orphans: 2, skipped: 0 },
    { deleted: 0, orphans: 0, skipped: 2 },
  ])
})

test('the first of the articles in a language that the target lacks has the hint, unless it is shown in full', async () => {
  const service = await startStrictService({ extensions: ['update', 'languages'], languages: ['en'] })
  const inGerman = (title: string) => article(title, { language: 'de' })
  const project = createSyncProject(service.url, {
    'content/a.md': inGerman('A'),
    'content/b.md': inGerman('B'),
  })
  const plan = await project.plan()
  const [first, second] = ['a', 'b'].map(
    (name) => `  · skipped  ${name}.md (the target has no language "de")\n`,
  )
  const hint = '      hint: Ask the operator of the target to enable "de".\n'
  expect([print(plan), print(plan, true)].map(listOf)).toEqual([
    `${first}${hint}${second}`,
    `${first}${second}`,
  ])
})

test('a move has its own sign and word, however it is sent', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  project.write({ 'content/second.md': article('Second', { slug: 'zweite' }) })
  const plan = await project.plan()
  expect(
    formatSyncResult(plan, { dryRun: true, verbose: false, quiet: false, project: PROJECT }, PLACE),
  ).toContain('  > move     second.md\n')
  expect(formatSyncMarkdown(plan, true)).toContain('| move | `second.md` |  |')
  const moved = await project.sync()
  expect([print(moved), moved.summary.replaced]).toEqual([
    expect.stringContaining('  > moved    second.md\n'),
    1,
  ])
  expect(formatSyncMarkdown(moved, false)).toContain('| moved | `second.md` |  |')
})

test('an operation that was not carried out has its own sign, whatever it was', () => {
  const base = { kind: 'article', slug: 'a', language: null, id: 'a', outcome: 'skipped' } as const
  const operations: OperationResult[] = [
    { ...base, action: 'update', source: 'a.md', reason: 'not sent' },
    { ...base, action: 'delete-orphan', name: 'b.md', reason: 'a guard' },
    { ...base, action: 'conflict', source: 'c.md', reason: 'it has an open draft on the target' },
  ]
  expect(listOf(print(resultOf(operations)))).toContain(`  · skipped  a.md (not sent)
  · skipped  b.md (a guard)
  ! conflict c.md (it has an open draft on the target)
`)
})

test('stored warnings are not read to find errors, or to print a result', () => {
  const warned = { ...resultOf([]), warnings: 2, heldBack: [] }
  const result = Object.defineProperty(warned, 'diagnostics', {
    get: () => {
      throw new Error('read')
    },
  })
  expect(hasErrors(result)).toBe(false)
  expect(print(result)).toBe(print({ ...resultOf([]), warnings: 2, heldBack: [] }))
})

function resultOf(operations: readonly OperationResult[]): SyncResult {
  const none = { created: 0, updated: 0, replaced: 0, deleted: 0, unchanged: 0, conflicts: 0 }
  const summary = { ...none, failed: 0, skipped: 0, orphans: 0 }
  return {
    target: 'live',
    summary: { ...summary, updated: operations.length },
    taxonomy: summary,
    operations,
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: undefined,
    failure: undefined,
  }
}
