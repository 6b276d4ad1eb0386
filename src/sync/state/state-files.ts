import { join } from 'node:path'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { Workspace } from './workspace.ts'
import { digest } from '../../core/digest.ts'
import { createHmac } from 'node:crypto'

/** The files in which one target's past is kept. */
export interface StateFiles {
  readonly state: string
  /** The mark of the last clean run. */
  readonly mark: string
  readonly lock: string
  /** What a run that was cut off has begun; another project's has another name. */
  readonly journal: string
}

export function stateFiles(
  target: TargetSettings,
  settings: Pick<Settings, 'server' | 'project'>,
  { stateFolder, journalFolder }: Pick<Workspace, 'stateFolder' | 'journalFolder'>,
): StateFiles {
  const name =
    target.kind === 'builtin'
      ? targetIdentity(settings.server.db, 'builtin')
      : targetIdentity(target.url, target.apiKey ?? '')
  const base = join(stateFolder, name)
  return {
    state: `${base}.ndjson`,
    mark: `${base}.clean.json`,
    lock: `${base}.lock`,
    journal: join(journalFolder, `${name}-${digest(settings.project).slice(0, 8)}.ndjson`),
  }
}

/**
 * Names the state of one target: its normalised address and, since one service may hold many knowledge bases, a keyed
 * digest of the API key. The key itself cannot be learned from it.
 */
export function targetIdentity(url: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(`kb-sync state\n${url}`).digest('hex').slice(0, 32)
}
