import type { Settings } from '../../core/config/settings.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { type FileDigests, hashSources } from '../../content/source/hash-sources.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { writeState } from '../../sync/state/state-file.ts'
import { prepareWorkspace, workspaceOf, type StateFiles, stateFiles } from '../../sync/state/workspace.ts'
import { type OpenContent, findContent, openContent } from '../../sync/content-project.ts'
import { loadPast, loadWritten } from '../../sync/state/load-past.ts'
import { type PullContentOptions, type PullResult, summarisePull } from './pulled-files.ts'
import { withRememberedStorage } from '../../sync/for-target.ts'
import { waitForLock } from '../../sync/state/lock.ts'
import { isError } from '../../core/model/diagnostic.ts'

/**
 * Runs `kb pull`: writes edits made on the target to files, and articles that exist only there to new files, which it
 * adds to the state. Sends nothing to the target. If the content has errors, reports them and pulls nothing.
 *
 * @throws KbError if the run cannot start
 */
export async function runPull({ target, ...asked }: PullContentOptions): Promise<PullResult> {
  const settings = await withRememberedStorage(asked.settings, target)
  const options = { ...asked, target, settings }
  const { dryRun } = options
  const foundBefore = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(target, settings, workspace)
  // The lock of kb sync: content that is read here must not be sent at the same time.
  const { unlock, hasWaited } = dryRun
    ? { unlock: () => undefined, hasWaited: false }
    : await waitForLock(files.lock, options)
  try {
    const found = hasWaited ? await findContent(settings) : foundBefore
    const sources = found.articles.map(({ source }) => source)
    const hashes = hashSources(settings.contentRoot, sources)
    const { onProgress, signal } = options
    const open = await openContent(settings, found, { hashes, onProgress, signal })
    try {
      return await pullOpen(open, { found, hashes, files }, options)
    } finally {
      open.cache.close()
    }
  } finally {
    unlock()
  }
}

async function pullOpen(
  open: OpenContent,
  project: { readonly found: FoundSources; readonly hashes: FileDigests; readonly files: StateFiles },
  options: PullContentOptions,
): Promise<PullResult> {
  const { settings, connect, signal } = options
  const { diagnostics } = open.content
  if (diagnostics.some(isError)) return rejected(open, options)
  // Loaded on demand: content with errors needs neither planner nor HTML parser.
  const { pullContent } = await import('./pull-content.ts')
  const state = loadPast(project.files, settings.project)
  const session = await connect({ readOnly: true, signal })
  try {
    const { result, records } = await pullContent({ ...project, open, state, session }, options)
    if (records.length === 0) return result
    return { ...result, failure: result.failure ?? (await keepRecords(records, project.files, settings)) }
  } finally {
    await session.close()
  }
}

/** Adds to the state file without the journal of an interrupted run, which the next sync also uses. */
async function keepRecords(
  records: readonly ArticleRecord[],
  files: StateFiles,
  { project }: Settings,
): Promise<KbError | undefined> {
  const before = loadWritten(files, project)
  const known = new Set(before.articles.map(({ id }) => id))
  const articles = [...before.articles, ...records.filter(({ id }) => !known.has(id))]
  const ids = new Set(articles.map(({ id }) => id))
  const foreign = before.foreign.filter(({ id }) => !ids.has(id))
  try {
    await writeState(files.state, project, { ...before, articles, foreign })
    return undefined
  } catch (error) {
    if (error instanceof KbError) return error
    throw error
  }
}

function rejected({ content }: OpenContent, { target }: PullContentOptions): PullResult {
  return {
    target: target.name,
    summary: summarisePull([], 0),
    files: [],
    diagnostics: content.diagnostics,
    requests: {},
    failure: undefined,
  }
}
