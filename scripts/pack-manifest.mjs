// Run before and after `npm pack`. npm warns of a script named `prepare` when a packed file is installed; only a checkout
// needs it, so the packed package.json has it under another name.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)
const names = ['"prepare":', '"prepare-checkout":']
const [from, to] = process.env.npm_lifecycle_event === 'prepack' ? names : names.toReversed()
const written = new URL(`../package.json.${process.pid}`, import.meta.url)
// Other programs may read the file at any time.
writeFileSync(written, readFileSync(file, 'utf8').replace(from, to))
renameSync(written, file)
