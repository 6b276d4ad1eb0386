// Compiles src/ into a fresh dist/ and makes the binary executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
const compiler = join(dirname(typescript), 'bin', 'tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
chmodSync(join(root, 'dist/cli/bin.js'), 0o755)
