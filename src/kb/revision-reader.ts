import type { Settings, TargetSettings } from '../core/config/settings.ts'

/** How the revision counter of the built-in database is read; undefined for a remote target, which must be asked. */
export function revisionReader(
  target: TargetSettings,
  settings: Settings,
): (() => Promise<number | undefined>) | undefined {
  if (target.kind === 'remote') return undefined
  return async () => {
    const { readBuiltinRevision } = await import('./target/read-builtin-revision.ts')
    return readBuiltinRevision(settings)
  }
}
