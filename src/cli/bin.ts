#!/usr/bin/env node
// The only file that ends the process. The version is answered before anything else is loaded.
import { readProgramVersion } from '../util/version.ts'
import { ignoreClosedPipes } from './ignore-closed-pipes.ts'

ignoreClosedPipes(process)
const [, , first, ...rest] = process.argv
if ((first === '--version' || first === '-V') && rest.length === 0) {
  process.stdout.write(`${readProgramVersion()}\n`)
} else {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}
