// Packs what npm would publish and has it judged: publint looks at the manifest and its files, attw resolves the types as
// each kind of consumer does. Needs a built dist/, and no network.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'kb-package-'))
try {
  const packed = run('npm', ['pack', '--json', '--pack-destination', folder], 'pipe')
  const file = join(folder, JSON.parse(packed)[0].filename)
  run('publint', ['run', '--strict', file])
  run('attw', [file, '--profile', 'esm-only'])
} finally {
  rmSync(folder, { recursive: true })
}

/** The binaries are on the path of `npm run`. */
function run(program, args, stdout = 'inherit') {
  const ended = spawnSync(program, args, { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' })
  if (ended.status === 0) return ended.stdout
  throw new Error(`${program} ended with ${ended.status ?? ended.error?.message}`)
}
