// The least a no-op by content can do: walk the tree, read and hash every file.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const pending = [process.argv[2]]
for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) pending.push(path)
    else createHash('sha256').update(readFileSync(path)).digest('hex')
  }
}
