import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder, from `folder` up to `top` (or the file system's root), that has `name`. */
export function findUpwards(folder: string, top: string | undefined, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const above = dirname(folder)
  return folder === top || above === folder ? undefined : findUpwards(above, top, name)
}

/** Our manifest, as package managers put it below a folder. */
export const PACKAGE_FILE = 'node_modules/kb-sync/package.json'
