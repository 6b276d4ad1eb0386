// The library as a program sees it.
import {
  createKb,
  type Diagnostic,
  type DiagnosticCode,
  type ErrorCode,
  type Kb,
  KbError,
  type KbOptions,
  type OperationResult,
  type Report,
  type ReviewFinding,
  type SyncResult,
  type WatchEvent,
  type WatchSummary,
} from 'kb-sync'

const controller = new AbortController()
const kb: Kb = createKb({ cwd: '/project', config: undefined, env: process.env } satisfies KbOptions)
createKb()
// @ts-expect-error -- an unknown option
createKb({ folder: '/project' })

// Functions need no object around them.
const { check, plan, sync, pull, report, doctor, loadSettings } = kb

export async function use(): Promise<void> {
  const { articles, diagnostics } = await check({ sources: ['guides'], signal: controller.signal })
  articles satisfies number
  diagnostics satisfies readonly Diagnostic[]
  // @ts-expect-error -- a result is not changed
  diagnostics.push()
  // @ts-expect-error -- the controller is not its signal
  await check({ signal: controller })
  // @ts-expect-error -- check speaks to no target
  await check({ target: 'staging' })

  const planned: SyncResult = await plan({ target: 'staging', diff: true, out: 'plan.json' })
  planned.savedPlan?.version satisfies 2 | undefined
  // @ts-expect-error -- a plan is made, not taken
  await plan({ plan: 'plan.json' })

  await sync({
    prune: true,
    onConflict: 'overwrite',
    adopt: ['faq'],
    maxDeletes: 5,
    yes: false,
    verify: true,
  })
  await sync({ plan: 'plan.json', yes: true, concurrency: 4 })
  // @ts-expect-error -- the saved plan has settled the target
  await sync({ plan: 'plan.json', target: 'staging' })
  // @ts-expect-error -- no such way
  await sync({ onConflict: 'ask' })
  // @ts-expect-error -- a misspelt option
  await sync({ dryrun: true })

  const found: Report = await report({
    target: 'staging',
    sources: ['guides'],
    dueWithinDays: 14,
    failOn: ['overdue', 'broken'],
    maxOverdue: 3,
    ignoreLinks: ['https://example.org/*'],
    baseline: 'accepted.json',
    owners: 'names',
    ownersFrom: 'codeowners',
    external: { allowPrivateAddresses: false },
    history: false,
  })
  found.reviews.overdue.entries satisfies readonly ReviewFinding[]
  found.links.broken.entries[0]?.places[0]?.line satisfies number | undefined
  // @ts-expect-error -- a report is not changed
  found.counts.overdue = 0
  // @ts-expect-error -- no such threshold
  await report({ failOn: ['late'] })
  // @ts-expect-error -- nobody is named by a mere yes
  await report({ owners: true })

  const { files, summary } = await pull({ dryRun: true, editsOnly: true })
  summary.updated satisfies number
  for (const { change, action } of files) {
    action satisfies 'update' | 'create' | 'conflict' | 'skip'
    // @ts-expect-error -- not every file changes
    change.after satisfies string
    change?.before satisfies string | undefined
  }

  const { sent, left } = await follow()
  sent satisfies number
  left satisfies number

  const { findings } = await doctor({
    probe: true,
    onPhase: (phase) => phase satisfies 'files' | 'target' | 'probe',
  })
  findings[0]?.status satisfies string | undefined
  const settings = await loadSettings({ signal: undefined })
  settings.contentRoot satisfies string
  if (settings.target.kind === 'remote') settings.target.url satisfies string
  // @ts-expect-error -- the built-in server has no address before it runs
  else settings.target.url satisfies string
}

/** A watch ends when its signal says so, and tells what happens until then. */
async function follow(): Promise<{ sent: number; left: number }> {
  const { watch } = kb
  const summary: WatchSummary = await watch({
    target: 'staging',
    prune: true,
    port: 0,
    signal: controller.signal,
    onEvent: (event: WatchEvent) => {
      if (event.kind === 'sent') event.operations[0]?.url satisfies string | undefined
      if (event.kind === 'started') event.target.url satisfies string | undefined
      // @ts-expect-error -- a key has no place in an event
      if (event.kind === 'started') event.target.apiKey satisfies unknown
    },
  })
  // @ts-expect-error -- pages are on or off
  await watch({ pages: 'off' })
  // @ts-expect-error -- a watch sends all there is
  await watch({ sources: ['guides'] })
  summary.failure?.code satisfies ErrorCode | undefined
  return { sent: summary.sent, left: summary.pending }
}

/** Results, narrowed by what became of them. */
export function read({ failure, operations, guard }: SyncResult): ErrorCode | undefined {
  guard satisfies string | undefined
  for (const operation of operations) describe(operation)
  // @ts-expect-error -- most runs do not fail
  failure.code satisfies ErrorCode
  return failure?.code
}

function describe({ outcome, action, diff }: OperationResult): string {
  diff satisfies object | undefined
  // @ts-expect-error -- no such action
  if (action === 'remove') return ''
  switch (outcome) {
    case 'planned':
    case 'done':
    case 'failed':
    case 'skipped':
      return outcome
    default:
      // Every outcome is named above.
      return outcome satisfies never
  }
}

export function explain(error: unknown): string {
  if (!(error instanceof KbError)) return ''
  error.hint satisfies string | undefined
  // @ts-expect-error -- no such code
  if (error.code === 'LOKCED') return ''
  return error.code === 'LOCKED' ? 'later' : error.message
}

export const code: DiagnosticCode = 'slug-duplicate'
// @ts-expect-error -- no such problem
export const wrong: DiagnosticCode = 'slug-double'
