// The types as a consumer of the built package meets them: files of test/types/ import `kb-sync` by name.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test.each([
  ['', []],
  [
    ' for a bundler, without exactOptionalPropertyTypes',
    [
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--rewriteRelativeImportExtensions',
      'false',
      '--exactOptionalPropertyTypes',
      'false',
    ],
  ],
])('what may be written compiles, and what may not does not%s', (_, flags) => {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'test/types', ...flags]
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: ROOT, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
