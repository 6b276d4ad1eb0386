import type { FoundSources } from '../content/find-sources.ts'
import { hashSources } from '../content/hash-sources.ts'
import { recoverState } from '../plan/recover-state.ts'
import { readJournal } from '../state/journal.ts'
import { waitForLock } from '../state/wait-for-lock.ts'
import { loadState } from '../state/state-file.ts'
import { prepareWorkspace, workspaceOf } from '../state/workspace.ts'
import { findContent, openContent, type OpenContent } from '../sync/content-project.ts'
import { type StateFiles, stateFiles } from '../sync/state-files.ts'
import type { PullOptions, PullResult } from './pull-options.ts'
import { summarisePull } from './summarise-pull.ts'

/**
 * One run of `kb pull`: takes edits made on the target into the files, and articles that exist only there in as new
 * files. Nothing is sent to the target, and no state is written. Content with an error is reported, and nothing pulled.
 *
 * @throws KbError where the run could not begin
 */
export async function runPull(options: PullOptions): Promise<PullResult> {
  const { settings, target, dryRun } = options
  const foundBefore = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(target, settings, workspace)
  // The lock of kb sync: what is read here must not be sent, and so change, in the meantime.
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
  project: {
    readonly found: FoundSources
    readonly hashes: ReadonlyMap<string, string>
    readonly files: StateFiles
  },
  options: PullOptions,
): Promise<PullResult> {
  const { settings, connect, signal } = options
  const { diagnostics } = open.content
  if (diagnostics.some(({ severity }) => severity === 'error')) return rejected(open, options)
  // Loaded here: content with errors needs neither planner nor HTML parser.
  const { pullContent } = await import('./pull-content.ts')
  const { state: stateFile, journal } = project.files
  const state = recoverState(loadState(stateFile, settings.project), readJournal(journal))
  const session = await connect({ readOnly: true, signal })
  try {
    return await pullContent({ ...project, open, state, session }, options)
  } finally {
    await session.close()
  }
}

function rejected({ content }: OpenContent, { target }: PullOptions): PullResult {
  return {
    target: target.name,
    summary: summarisePull([], 0),
    files: [],
    diagnostics: content.diagnostics,
    requests: {},
    failure: undefined,
  }
}
