import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'

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
  const way = relative(folder, file)
  const isOutside = way.startsWith('..') || isAbsolute(way)
  return isOutside ? { cwd: dirname(file), config: basename(file) } : { cwd: folder, config }
}
