import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asPrefix, relativePath } from '../paths.ts'

/** The folder that contains `.git`: `folder` (absolute) or the nearest one above it; undefined if there is none. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findRepository(above)
}

/** The path from the repository's root, which may be above the project, to the project: '' or with a trailing slash. */
export function prefixInRepository(root: string): string {
  return asPrefix(relativePath(findRepository(root) ?? root, root))
}
