// Locates the package's own files. The build bundles code into chunks, so paths are resolved from the root of the
// package, not from the importing module.
import { existsSync } from 'node:fs'

/** True in the built program, false if the sources are run, as in tests. */
export const IS_BUILT = import.meta.url.endsWith('.js')

const ROOT = findRoot(new URL('.', import.meta.url))

/** Locates a file next to the code: `path` is relative to `src/`, or to `dist/` in the built program. */
export function codeFile(path: string): URL {
  return new URL(`${IS_BUILT ? 'dist' : 'src'}/${path}`, ROOT)
}

/** Locates a file by its path in the package: the manifest, the guide, or a worker thread's code (always built). */
export function packageFile(path: string): URL {
  return new URL(path, ROOT)
}

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const above = new URL('../', folder)
  if (above.href === folder.href) throw new Error(`no package.json above ${import.meta.url}`)
  return findRoot(above)
}
