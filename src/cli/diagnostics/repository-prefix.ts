import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The way from the repository's root, which may lie above the project, to the project: '' or ending in a slash. */
export function prefixInRepository(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) {
      const path = relative(folder, root).split(sep).join('/')
      return path === '' ? '' : `${path}/`
    }
    if (dirname(folder) === folder) return ''
  }
}
