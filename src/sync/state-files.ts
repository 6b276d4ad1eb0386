import { join } from 'node:path'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { targetIdentity } from './state/target-identity.ts'
import type { Workspace } from './state/workspace.ts'
import { digest } from '../core/digest.ts'

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
