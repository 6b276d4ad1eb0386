// Builds a checkout after `npm ci`. An installation with `npm install -g` from git, as pre-commit does it, gets here
// without any dependency, because npm passes its setting `global` on; then they are installed first.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function npm(...args) {
  const env = { ...process.env, npm_config_global: 'false' }
  const options = { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' }
  const { status } = spawnSync('npm', args, options)
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(new URL('../node_modules', import.meta.url))) npm('ci', '--ignore-scripts', '--include=dev')
npm('run', 'build')
