import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One digest of the names and bytes of files and folders below `root`; hidden files and node_modules are left out. */
export function digestFiles(root, paths) {
  const digest = createHash('sha256')
  for (const path of paths.flatMap((each) => listFiles(root, each)).toSorted())
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return digest.digest('hex')
}

function listFiles(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const names = readdirSync(join(root, path)).filter(
    (name) => !name.startsWith('.') && name !== 'node_modules',
  )
  return names.flatMap((name) => listFiles(root, `${path}/${name}`))
}
