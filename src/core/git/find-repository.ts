import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that holds `.git`: `folder` (absolute) or the nearest one above it; undefined where there is none. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findRepository(above)
}
