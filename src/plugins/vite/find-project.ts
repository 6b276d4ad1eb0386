import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { CONFIG_NAMES } from '../../config/load-config.ts'

/** Where the project of a site lies. */
export interface FoundProject {
  /** Absolute path. */
  readonly cwd: string
  /** Configuration file relative to `cwd`; undefined: the one there, if any. */
  readonly config: string | undefined
}

/**
 * Vite's root need not be the folder of the project: that of VitePress is the folder of the pages. Without `config`, the
 * nearest folder upwards counts that has a configuration, unless the root has content of its own.
 *
 * @param root absolute path of Vite's root
 * @param config relative to `root`; a file outside of it makes its own folder the project
 */
export function findProject(root: string, config: string | undefined): FoundProject {
  if (config !== undefined) {
    const file = resolve(root, config)
    const way = relative(root, file)
    const isOutside = way.startsWith('..') || isAbsolute(way)
    return isOutside ? { cwd: dirname(file), config: basename(file) } : { cwd: root, config }
  }
  const hasConfig = (folder: string) => CONFIG_NAMES.some((name) => existsSync(join(folder, name)))
  if (hasConfig(root) || existsSync(join(root, 'content'))) return { cwd: root, config }
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (hasConfig(folder)) return { cwd: folder, config }
  }
  return { cwd: root, config }
}

/** Absolute paths at which an edit may change which configuration there is. */
export function configCandidates({ cwd, config }: FoundProject): string[] {
  return config === undefined ? CONFIG_NAMES.map((name) => join(cwd, name)) : [resolve(cwd, config)]
}
