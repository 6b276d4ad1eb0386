#!/usr/bin/env node
// The only file that ends the process. The version is answered before anything else is loaded, not even a chunk of ours.
import { readFileSync } from 'node:fs'

// Whoever reads what we print may stop reading, as `head` does: that ends neither the work nor its exit code, and what is
// printed from then on is lost.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
const [, , first, ...rest] = process.argv
if ((first === '--version' || first === '-V') && rest.length === 0) {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`)
} else {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}
