import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isKnownManager, NPM, type PackageManager } from './package-manager.ts'

/** The package manager of the project, or of the workspace around it; npm where nothing tells. */
export async function detectManager(folder: string): Promise<PackageManager> {
  const { detectPackageManager } = await import('nypm')
  // A broken package.json is reported by who merges into it.
  const found = await detectPackageManager(folder).catch(() => undefined)
  if (found === undefined || !isKnownManager(found.name)) return NPM
  const isPinned = found.version !== undefined
  const isBerry =
    found.name === 'yarn' && (isPinned ? found.majorVersion !== '1' : existsSync(join(folder, '.yarnrc.yml')))
  return { name: found.name, isBerry, isPinned }
}
