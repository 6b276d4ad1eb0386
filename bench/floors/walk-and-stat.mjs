// The least a no-op by time stamps can do: walk the tree and stat every file.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const pending = [process.argv[2]]
for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) pending.push(path)
    else statSync(path)
  }
}
