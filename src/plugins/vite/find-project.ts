import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import { placeProject, type ProjectPlace } from '../adapter/place-project.ts'

/**
 * Vite's root need not be the folder of the project: that of VitePress is the folder of the pages. Without `config`, the
 * nearest folder upwards counts that has a configuration, unless the root has content of its own.
 *
 * @param root absolute path of Vite's root
 * @param config relative to `root`
 */
export function findProject(root: string, config: string | undefined): ProjectPlace {
  if (config !== undefined) return placeProject(root, config)
  const hasConfig = (folder: string) => CONFIG_NAMES.some((name) => existsSync(join(folder, name)))
  if (hasConfig(root) || existsSync(join(root, 'content'))) return { cwd: root, config }
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (hasConfig(folder)) return { cwd: folder, config }
  }
  return { cwd: root, config }
}

/** Absolute paths at which an edit may change which configuration there is. */
export function configCandidates({ cwd, config }: ProjectPlace): string[] {
  return config === undefined ? CONFIG_NAMES.map((name) => join(cwd, name)) : [resolve(cwd, config)]
}
