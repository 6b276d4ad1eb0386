// Runs scripts of package.json one after the other, stops at the first that fails, and says at the end how long each took.
// Flags go to all of them:
//   node scripts/run-parts.mjs build test --shard=1/4
import { spawnSync } from 'node:child_process'

const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('-'))
const lines = []
for (const part of args.filter((arg) => !arg.startsWith('-'))) {
  const startMs = performance.now()
  const { status } = spawnSync('npm', ['run', part, '--', ...flags], { stdio: 'inherit' })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0).padStart(6)
  lines.push(`${seconds} s  ${part}${status === 0 ? '' : '  failed'}`)
  if (status === 0) continue
  process.exitCode = status ?? 1
  break
}
console.log(`\n${lines.join('\n')}`)
