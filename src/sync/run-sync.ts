import { join } from 'node:path'
import { digestHashes, stampTree } from '../content/hash-sources.ts'
import type { FoundSources } from '../content/find-sources.ts'
import type { Summary } from '../model/plan.ts'
import { summarise } from '../plan/summarise.ts'
import { type CleanMark, removeCleanMark, writeCleanMark } from '../state/clean-mark.ts'
import { takeLock } from '../state/lock.ts'
import { targetIdentity } from '../state/target-identity.ts'
import { prepareWorkspace, workspaceOf } from '../state/workspace.ts'
import { findContent, openContent, type OpenContent } from './content-project.ts'
import type { SyncOptions, SyncResult } from './sync-options.ts'
import { type ContentIdentity, findUnchanged, identify } from './unchanged.ts'

/**
 * One run of `kb sync` or `kb plan`: pass one reads, checks and renders everything; only when it is clean, pass two
 * compares with the target and sends.
 *
 * @throws KbError where the run could not begin; what happens later is in the result
 */
export async function runSync(options: SyncOptions): Promise<SyncResult> {
  const { settings, mode, now } = options
  const found = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(options, workspace.stateFolder)
  const unlock = mode === 'sync' ? takeLock(files.lock, now()) : () => undefined
  try {
    const question = { settings, found, markFile: files.mark, now: now().getTime() }
    const before = await look(options, question)
    if (before.kind === 'unchanged') return unchangedResult(options, before.mark)
    const { identity } = before
    const open = await openContent(settings, found, {
      hashes: identity.hashes,
      onProgress: options.onProgress,
      signal: options.signal,
    })
    try {
      if (hasErrors(open)) return rejectedResult(options, open)
      if (mode === 'sync') removeCleanMark(files.mark)
      // Loaded here: a run that finds nothing changed needs neither planner nor HTML parser.
      const { syncContent } = await import('./sync-content.ts')
      const result = await syncContent(open.content, files.state, options)
      if (mode === 'sync' && isClean(result))
        await markClean(files.mark, options, { found, identity, open, result })
      return result
    } finally {
      open.cache.close()
    }
  } finally {
    unlock()
  }
}

function stateFiles({ target, settings }: SyncOptions, folder: string) {
  const name =
    target.kind === 'builtin'
      ? targetIdentity(settings.server.db, 'builtin')
      : targetIdentity(target.url, target.apiKey ?? '')
  const base = join(folder, name)
  return { state: `${base}.ndjson`, mark: `${base}.clean.json`, lock: `${base}.lock` }
}

type Question = Omit<Parameters<typeof findUnchanged>[0], 'readRevision'>

async function look(options: SyncOptions, question: Question): ReturnType<typeof findUnchanged> {
  const { readRevision, verify, prune, isSelected } = options
  const mayBeSkipped = readRevision !== undefined && !verify && !prune && isSelected === undefined
  if (!mayBeSkipped) return { kind: 'changed', identity: identify(question, []) }
  return findUnchanged({ ...question, readRevision })
}

function hasErrors({ content }: OpenContent): boolean {
  return content.diagnostics.some(({ severity }) => severity === 'error')
}

const NOTHING: Summary = summarise([], 0, 0)

function emptyResult({ target }: SyncOptions): SyncResult {
  return {
    target: target.name,
    summary: NOTHING,
    taxonomy: NOTHING,
    operations: [],
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: undefined,
    failure: undefined,
  }
}

function unchangedResult(options: SyncOptions, mark: CleanMark): SyncResult {
  return {
    ...emptyResult(options),
    summary: { ...NOTHING, unchanged: mark.articles, orphans: mark.orphans },
    taxonomy: { ...NOTHING, unchanged: mark.taxonomy },
    diagnostics: mark.diagnostics,
  }
}

function rejectedResult(options: SyncOptions, { content }: OpenContent): SyncResult {
  return { ...emptyResult(options), diagnostics: content.diagnostics }
}

/** Whether files and target are now equal, as far as this run looked. */
function isClean({ operations, guard, failure }: SyncResult): boolean {
  return guard === undefined && failure === undefined && operations.every(({ outcome }) => outcome === 'done')
}

async function markClean(
  file: string,
  { settings, readRevision, isSelected }: SyncOptions,
  run: {
    readonly found: FoundSources
    readonly identity: ContentIdentity
    readonly open: OpenContent
    readonly result: SyncResult
  },
): Promise<void> {
  const revision = isSelected === undefined ? await readRevision?.() : undefined
  if (revision === undefined) return
  const { found, identity, open, result } = run
  const { assets } = open.content
  const hashes = new Map([...identity.hashes, ...assets])
  const { stamps } = stampTree(settings.contentRoot, found, [...assets.keys()])
  const { summary, taxonomy, diagnostics } = result
  await writeCleanMark(file, {
    version: 1,
    settingsDigest: settings.settingsDigest,
    stamps: identity.stamps === undefined ? undefined : stamps,
    hashes: digestHashes(hashes),
    assets: [...assets.keys()],
    revision,
    articles: summary.unchanged + summary.created + summary.replaced + summary.updated,
    taxonomy: taxonomy.unchanged + taxonomy.created + taxonomy.updated,
    orphans: summary.orphans,
    diagnostics,
  })
}
