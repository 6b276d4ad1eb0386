import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../content/inside.ts'

/**
 * The real path of a file of the project that is there; undefined for anything else, links that lead out among it.
 *
 * @param root the project's folder: `file` is relative to it
 * @param contentRoot the content's, which may lie elsewhere
 */
export function resolveProjectFile(root: string, contentRoot: string, file: string): string | undefined {
  try {
    const path = realpathSync(join(root, file))
    const isOurs = [root, contentRoot].some((folder) => isInside(realpathSync(folder), path))
    return isOurs && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}
