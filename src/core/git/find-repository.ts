import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asPrefix, relativePath } from '../paths.ts'

/** Returns `folder` (absolute) or the nearest folder above it that contains `.git`; undefined if there is none. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findRepository(above)
}

/** Returns the path from the repository's root to the project, which may be below it: '' or with a trailing slash. */
export function prefixInRepository(root: string): string {
  return asPrefix(relativePath(findRepository(root) ?? root, root))
}
