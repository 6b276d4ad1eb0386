import { basename, dirname, isAbsolute, relative, sep } from 'node:path'
import { CONFIG_NAMES } from '../../config/load-config.ts'

/** Whether a file lies below a folder. Absolute paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether a file is one that a project is configured by, also where it had none before. */
export function isConfigFile(path: string, root: string): boolean {
  return dirname(path) === root && CONFIG_NAMES.some((name) => name === basename(path))
}
