import { expect, test } from 'vitest'
import { createPrettyReport } from '../../../src/cli/watch/report-pretty.ts'
import type { KbWatchEvent, WatchSummary } from '../../../src/kb/watch-events.ts'
import { KbError } from '../../../src/core/errors/kb-error.ts'
import { collectingTerminal } from '../../support/collecting-terminal.ts'
import {
  done,
  operation,
  outage,
  PRODUCTION,
  ready,
  sent,
  standing,
  started,
  titleMissing,
} from './watch-events.ts'

const now = () => new Date(2026, 2, 1, 14, 3, 22)

/** Returns the output for these events in a pipe of 80 columns. */
function printed(
  events: readonly KbWatchEvent[],
  { end, ...style }: { quiet?: boolean; verbose?: boolean; end?: WatchSummary } = {},
): string[] {
  const terminal = collectingTerminal()
  const report = createPrettyReport(
    { root: '/project', quiet: false, verbose: false, now, ...style },
    terminal,
  )
  for (const event of events) report.onEvent(event)
  if (end !== undefined) report.end(end)
  expect(terminal.messages()).toBe('')
  return terminal.output().split('\n').slice(0, -1)
}

test('an uneventful watch from the first line to the last', () => {
  const events = [
    started(),
    standing({ state: 'starting' }),
    ready(),
    sent(operation('guides/reset.md')),
    { kind: 'unchanged', sources: ['guides/reset.md'], durationMs: 4.6 } as const,
    sent(operation('guides/new.md', { action: 'create' })),
    { kind: 'orphaned', source: 'guides/old.md', slug: 'old' } as const,
    { kind: 'orphaned', source: 'guides/late.md', slug: 'late', isDelayed: true } as const,
    sent(operation('guides/gone.md', { action: 'delete-copy', url: undefined })),
  ]
  expect(printed(events, { end: done })).toEqual([
    'Watching content, sending to the built-in server.',
    'Pages: http://127.0.0.1:4400/',
    '14:03:22 ready    Articles: 12 created, 4,988 unchanged  1.2 s',
    '14:03:22 updated  guides/reset.md → /articles/reset  38 ms',
    '14:03:22 same     guides/reset.md (nothing to send)  5 ms',
    '14:03:22 created  guides/new.md → /articles/new  38 ms',
    '14:03:22 orphan   guides/old.md',
    '         its article "old" stays on the target; --prune deletes it',
    '14:03:22 orphan   guides/late.md',
    '         its article "late" stays on the target until nothing is held back',
    '14:03:22 deleted  guides/gone.md  38 ms',
    'Stopped: 12 articles sent to builtin. Everything was sent.',
  ])
})

test('of many files that another branch lacks, or has in another folder, the first ones are named', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const events: KbWatchEvent[] = [
    ...names.map((name) => ({ kind: 'orphaned', source: `${name}.md`, slug: name }) as const),
    { kind: 'moved', files: names.map((name) => ({ from: `${name}.md`, to: `z/${name}.md` })) },
    {
      kind: 'problems',
      diagnostics: [],
      appeared: [],
      fixed: names.map((name) => `content/z/${name}.md`),
      heldBack: [],
      everythingHeldBy: [],
    },
    { kind: 'orphaned', source: 'i.md', slug: 'i' },
  ]
  const orphan = (name: string) =>
    `14:03:22 orphan   ${name}.md (its article "${name}" stays on the target; --prune deletes it)`
  const moved = (name: string) => `14:03:22 moved    ${name}.md → z/${name}.md`
  const fixed = (name: string) => `14:03:22 fixed    content/z/${name}.md`
  expect(printed(events)).toEqual([
    ...names.slice(0, 5).map(orphan),
    '14:03:22 orphan   more files (--verbose lists all)',
    ...names.slice(0, 5).map(moved),
    '14:03:22 moved    3 more (--verbose lists all)',
    ...names.slice(0, 5).map(fixed),
    '14:03:22 fixed    3 more (--verbose lists all)',
    orphan('i'),
  ])
  expect(printed(events, { verbose: true })).toEqual([
    ...names.map(orphan),
    ...names.map(moved),
    ...names.map(fixed),
    orphan('i'),
  ])
})

test('a problem is shown, held back, and reported as fixed', () => {
  const events: KbWatchEvent[] = [
    started({ pages: undefined }),
    ready(),
    {
      kind: 'problems',
      diagnostics: [titleMissing],
      appeared: [titleMissing],
      fixed: [],
      heldBack: ['guides/reset.md'],
      everythingHeldBy: [],
    },
    // Another mistake in the same file.
    {
      kind: 'problems',
      diagnostics: [titleMissing],
      appeared: [{ ...titleMissing, message: 'The categories are missing.' }],
      fixed: [],
      heldBack: ['guides/reset.md'],
      everythingHeldBy: [],
    },
    {
      kind: 'problems',
      diagnostics: [],
      appeared: [],
      fixed: ['content/guides/reset.md'],
      heldBack: [],
      everythingHeldBy: [],
    },
  ]
  expect(printed(events).slice(2)).toEqual([
    'content/guides/reset.md:1:1 error frontmatter-missing',
    '  The title is missing.',
    '',
    '14:03:22 held     guides/reset.md (not sent until it is fixed)',
    'content/guides/reset.md:1:1 error frontmatter-missing',
    '  The categories are missing.',
    '',
    '14:03:22 fixed    guides/reset.md',
  ])
})

test('many held-back articles are counted in one line', () => {
  const heldBack = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.md`)
  const problems = {
    kind: 'problems',
    diagnostics: [],
    appeared: [],
    fixed: [],
    everythingHeldBy: [],
  } as const
  const events: KbWatchEvent[] = [
    started({ pages: undefined }),
    ready(),
    { ...problems, heldBack },
    { ...problems, heldBack: [...heldBack, 'g.md'] },
  ]
  expect(printed(events).slice(2)).toEqual([
    '14:03:22 held     6 articles (not sent until they are fixed)',
    '14:03:22 held     g.md (not sent until it is fixed)',
  ])
})

test('existing warnings are counted, new ones shown', () => {
  const warning = { ...titleMissing, severity: 'warning' as const }
  const appear = (...appeared: (typeof warning)[]): KbWatchEvent => ({
    kind: 'problems',
    diagnostics: appeared,
    appeared,
    fixed: [],
    heldBack: [],
    everythingHeldBy: [],
  })
  const events = [appear(warning, warning), ready(), appear(warning)]
  expect(printed(events)).toEqual([
    '2 warnings, shown with --verbose; kb check may find more.',
    '14:03:22 ready    Articles: 12 created, 4,988 unchanged  1.2 s',
    'content/guides/reset.md:1:1 warning frontmatter-missing',
    '  The title is missing.',
    '',
  ])
  expect(printed(events, { quiet: true })).toEqual([])
  expect(printed(events, { verbose: true })).toHaveLength(10)
})

test('an outage is reported once, and so is its end', () => {
  const offline = (retryInMs: number): KbWatchEvent => ({ kind: 'offline', failure: outage, retryInMs })
  const events: KbWatchEvent[] = [offline(1000), offline(2000), { kind: 'online' }, { kind: 'online' }]
  const end = { ...done, pending: 2, failure: outage, heldBack: ['a.md', 'b.md', 'c.md', 'd.md'] }
  expect(printed(events, { end })).toEqual([
    '14:03:22 offline  https://help.example.com did not respond.',
    '         TARGET_UNREACHABLE; unsent changes are kept; next attempt in 1.0 s',
    '         Look whether it runs.',
    '14:03:22 online   the target responds again',
    'Stopped: 12 articles sent to builtin.',
    'It could not continue: https://help.example.com did not respond.',
    'Left: 2 changed files not sent, 4 articles with errors (a.md, b.md, c.md, …).',
    'The next kb watch or kb sync continues from there.',
  ])
})

test('the requests for a remote target are reported as soon as they are known', () => {
  const first = started({ target: PRODUCTION, pages: undefined })
  expect(printed([first, { kind: 'offers', updatesInPlace: false }])).toEqual([
    'Watching content, sending to production (https://help.example.com).',
    'Readers see what you save there, unless it has errors.',
    'The target cannot update articles in place. Each save replaces the article, with',
    'up to 11 requests and a new id.',
  ])
  expect(printed([first, { kind: 'offers', updatesInPlace: true }]).at(-1)).toBe(
    'The target updates articles in place: 2 requests for each save.',
  )
  expect(printed([started({ passedOver: PRODUCTION })]).slice(0, 3)).toEqual([
    'Watching content, sending to the built-in server.',
    'The target production (https://help.example.com) from the configuration is not',
    'used; to send there, run kb watch --target production.',
  ])
})

test('of very many changes, the first ones and all failures are listed', () => {
  const many = Array.from({ length: 500 }, (_, index) => operation(`page-${index}.md`))
  const failed = operation('bad.md', { outcome: 'failed', reason: 'the slug is taken' })
  const lines = printed([sent(...many, failed)])
  expect(lines.slice(4)).toEqual([
    '14:03:22 updated  page-4.md → /articles/page-4  38 ms',
    '14:03:22 updated  495 more (--verbose lists all)  38 ms',
    '14:03:22 failed   bad.md (the slug is taken)  38 ms',
  ])
  expect(printed([sent(...many)], { verbose: true })).toHaveLength(500)
})

test('long names stay whole, and details without space are omitted', () => {
  const long = `guides/${'very-'.repeat(10)}long.md`
  const conflict = operation(long, {
    action: 'conflict',
    outcome: 'skipped',
    reason: 'it was edited on the target; kb pull takes the edit into the file',
    backup: '.kb/backups/one.json',
  })
  expect(printed([sent(operation(long)), sent(conflict)])).toEqual([
    `14:03:22 updated  ${long}  38 ms`,
    `14:03:22 conflict ${long}  38 ms`,
    '         it was edited on the target; kb pull takes the edit into the file',
    '         kept in .kb/backups/one.json',
  ])
})

test('an invalid configuration is reported with all its problems', () => {
  const failure = new KbError('CONFIG_INVALID', 'kb.config.ts has errors:\n  one\n  two')
  expect(
    printed([
      { kind: 'configured', failure, restartFor: [] },
      { kind: 'configured', failure: undefined, restartFor: ['server.port'] },
    ]),
  ).toEqual([
    '14:03:22 config   kb.config.ts has errors:',
    '           one',
    '           two',
    '         The last valid configuration stays in use until this is fixed.',
    '14:03:22 config   reloaded (restart kb watch to apply server.port)',
  ])
})

test('no text of a file or a target repaints the terminal', () => {
  const evil = 'x\u001b[2J\u202e\n.md'
  const bad = { ...titleMissing, file: evil, message: evil }
  const events: KbWatchEvent[] = [
    started({ content: evil, target: { ...PRODUCTION, name: evil } }),
    sent(operation(evil, { url: evil, reason: evil, backup: evil })),
    {
      kind: 'problems',
      diagnostics: [bad],
      appeared: [bad],
      fixed: [evil],
      heldBack: [evil],
      everythingHeldBy: [evil],
    },
    { kind: 'offline', failure: new KbError('TARGET_FAILED', evil), retryInMs: 1 },
    { kind: 'guarded', reason: evil },
    { kind: 'configured', failure: new KbError('CONFIG_INVALID', `${evil}${evil}`), restartFor: [] },
    { kind: 'page-failed', error: new Error(evil) },
    { kind: 'orphaned', source: evil, slug: evil },
    { kind: 'unchanged', sources: [evil], durationMs: 1 },
  ]
  const end = { ...done, target: evil, heldBack: [evil], failure: new KbError('TARGET_FAILED', evil) }
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(printed(events, { end }).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/)
})
