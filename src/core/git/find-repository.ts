import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The folder that contains `.git`: `folder` (absolute) or the nearest one above it; undefined if there is none. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findRepository(above)
}

/** The path from the repository's root, which may be above the project, to the project: '' or with a trailing slash. */
export function prefixInRepository(root: string): string {
  const path = relative(findRepository(root) ?? root, root)
    .split(sep)
    .join('/')
  return path === '' ? '' : `${path}/`
}
