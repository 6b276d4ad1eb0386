// Run before and after `npm pack`. npm warns of a script named `prepare` when a packed file is installed; only a checkout
// needs it, so the packed package.json has it under another name.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)
const names = ['"prepare":', '"prepare-checkout":']
const [from, to] = process.env.npm_lifecycle_event === 'prepack' ? names : names.toReversed()
writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
