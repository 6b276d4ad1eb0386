import { relative, sep } from 'node:path'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { SavedTarget } from '../plan/saved/saved-plan.ts'
import { targetIdentity } from '../state/target-identity.ts'

/** The target as a saved plan names it. The built-in one is that of the project, wherever its folder lies. */
export function identifyTarget(target: TargetSettings, { root, server }: Settings): SavedTarget {
  const { name } = target
  if (target.kind === 'remote') {
    const { url, apiKey = '' } = target
    return { name, address: url, identity: targetIdentity(url, apiKey) }
  }
  const database = relative(root, server.db).split(sep).join('/')
  return { name, address: database, identity: targetIdentity(database, 'builtin') }
}
