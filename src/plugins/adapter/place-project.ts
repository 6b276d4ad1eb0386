import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../../core/paths.ts'

export interface ProjectPlace {
  /** Absolute path. */
  readonly cwd: string
  /** Configuration file relative to `cwd`; undefined: the default one, if any. */
  readonly config: string | undefined
}

/**
 * Locates the project. A configuration outside of the site belongs to a separate project, whose folder is its own.
 *
 * @param folder absolute path of the site's folder
 * @param config relative to `folder`
 */
export function placeProject(folder: string, config: string | undefined): ProjectPlace {
  if (config === undefined) return { cwd: folder, config }
  const file = resolve(folder, config)
  return isInside(folder, file) ? { cwd: folder, config } : { cwd: dirname(file), config: basename(file) }
}
