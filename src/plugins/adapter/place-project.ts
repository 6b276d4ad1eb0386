import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../../content/source/inside.ts'

/** Where the project of a site lies. */
export interface ProjectPlace {
  /** Absolute path. */
  readonly cwd: string
  /** Configuration file relative to `cwd`; undefined: the one there, if any. */
  readonly config: string | undefined
}

/**
 * A configuration outside of a site belongs to a project of its own, whose content lies beside it: its folder is the
 * project then.
 *
 * @param folder absolute path of the folder of the site
 * @param config relative to it
 */
export function placeProject(folder: string, config: string | undefined): ProjectPlace {
  if (config === undefined) return { cwd: folder, config }
  const file = resolve(folder, config)
  return isInside(folder, file) ? { cwd: folder, config } : { cwd: dirname(file), config: basename(file) }
}
