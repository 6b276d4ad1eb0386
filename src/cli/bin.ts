#!/usr/bin/env node
// The only file that ends the process. Answers a request for the version before anything else is loaded, even a chunk
// of the program. Old versions of Node.js do not export the name `subscribe`, so importing it would fail before their
// version is checked.
import diagnostics from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// A reader of our output may close it early, like `head`. Work and exit code stay the same; later output is dropped.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
const [, , first, ...rest] = process.argv
if ((first === '--version' || first === '-V') && rest.length === 0) {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`)
} else if (isTooOld(process.versions.node)) {
  process.stderr.write(
    `error: kb-sync needs Node.js 20.19 or newer, and this is ${process.versions.node}.\nhint: Install a newer one from https://nodejs.org, or with your version manager.\n`,
  )
  process.exitCode = 2
} else {
  // After a few requests V8 optimises undici's parser, which is WebAssembly, and the process cannot end before that is
  // done, which may take longer than the requests. Set from the start, the flag would disable Node's code cache.
  diagnostics.subscribe('undici:client:beforeConnect', () =>
    setFlagsFromString('--wasm-tiering-budget=200000000'),
  )
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

/** As in `engines` of package.json, which is not read at every start. */
function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 19)
}
