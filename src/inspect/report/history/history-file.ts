import { join } from 'node:path'
import type { Settings, TargetSettings } from '../../../core/config/settings.ts'
import type { Workspace } from '../../../sync/state/workspace.ts'
import { digestParts } from '../../../core/digest.ts'

/**
 * Where earlier reports on this target are kept. The key of the target does not count: a new one, or one that may only
 * read, opens the same knowledge base.
 */
export function historyFile(
  target: TargetSettings,
  { project, server }: Pick<Settings, 'project' | 'server'>,
  { historyFolder }: Pick<Workspace, 'historyFolder'>,
): string {
  const address = target.kind === 'builtin' ? server.db : target.url
  // A target without a name goes by its address, in which there may be a password.
  const name = target.name.replace(/^https?:\/\/(?:[^/]*@)?/, '').replace(/[^\w.-]+/g, '-')
  const others = digestParts([project, target.kind, target.name, address])
  return join(historyFolder, `${name.slice(0, 40)}-${others.slice(0, 12)}.json`)
}
