// Where the package's own files lie. Built code is bundled into chunks, so a path beside the importing module means
// nothing there: paths are counted from the package's root instead.
import { existsSync } from 'node:fs'

/** Whether the built program runs; else its sources do, as in the tests. */
export const IS_BUILT = import.meta.url.endsWith('.js')

const ROOT = findRoot(new URL('.', import.meta.url))

/** A file that lies beside the code: `path` counts from `src/`, and from `dist/` in the built program. */
export function codeFile(path: string): URL {
  return new URL(`${IS_BUILT ? 'dist' : 'src'}/${path}`, ROOT)
}

/** A file of the package by its path in there: the manifest, the guide, what a thread runs (which is always built). */
export function packageFile(path: string): URL {
  return new URL(path, ROOT)
}

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const above = new URL('../', folder)
  if (above.href === folder.href) throw new Error(`no package.json above ${import.meta.url}`)
  return findRoot(above)
}
