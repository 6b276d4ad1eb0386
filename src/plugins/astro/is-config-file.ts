import { basename, dirname } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'

/** Whether a file is one that a project is configured by, also where it had none before. Absolute paths. */
export function isConfigFile(path: string, root: string): boolean {
  return dirname(path) === root && CONFIG_NAMES.some((name) => name === basename(path))
}
