import { join, resolve } from 'node:path'
import { CONFIG_NAMES, findProjectFolder } from '../../core/config/load-config.ts'
import { placeProject, type ProjectPlace } from '../adapter/place-project.ts'

/**
 * Finds the project: Vite's root may be another folder, in VitePress that of the pages.
 *
 * @param root absolute path of Vite's root
 * @param config relative to `root`
 */
export function findProject(root: string, config: string | undefined): ProjectPlace {
  return config === undefined ? { cwd: findProjectFolder(root), config } : placeProject(root, config)
}

/** Absolute paths where an edit may change which configuration applies. */
export function configCandidates({ cwd, config }: ProjectPlace): string[] {
  return config === undefined ? CONFIG_NAMES.map((name) => join(cwd, name)) : [resolve(cwd, config)]
}
