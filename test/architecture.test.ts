// ARCHITECTURE.md names files and folders that exist, and all rooms.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TEXT = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

test('every path is there', () => {
  expect(pathsIn(TEXT).length).toBeGreaterThan(40)
  expect(pathsIn(TEXT).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** Paths from the root; a file alone lies beside the one named before it. */
function pathsIn(text: string): string[] {
  const paths: string[] = []
  for (const [, code = ''] of text.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)) {
    if (/^[\w-]+\.ts$/.test(code)) paths.push(join(dirname(paths.at(-1) ?? ''), code))
    else if (/^(?:src|scripts|test)\//.test(code)) paths.push(code)
    else if (/^[a-z]+\/[\w-]/.test(code)) paths.push(`src/${code}`)
  }
  return paths
}

test('the rooms are the folders of src/', () => {
  const [, diagram = ''] = /\n((?: {4}.*\n)+)\n## Where/.exec(TEXT) ?? []
  const named = diagram
    .split('\n')
    .flatMap((line) => /^ {4}([\w.]+(?: · [\w.]+)*) {2,}/.exec(line)?.[1]?.split(' · ') ?? [])
  expect(named.toSorted()).toEqual(readdirSync(join(ROOT, 'src')).toSorted())
})
