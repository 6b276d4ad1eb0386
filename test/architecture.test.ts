// ARCHITECTURE.md names files and folders that exist, and all rooms.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TEXT = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

test('every path is there', () => {
  const named = TEXT.split('\n').flatMap((line) => {
    const [folders = '', rest = ''] = /^\| (.*?) \| (.*)/.exec(line)?.slice(1) ?? ['', line]
    const bases = ['', 'src/', ...codesIn(folders).map((folder) => `src/${folder}`)]
    return codesIn(`${folders} ${rest}`).map((path) => ({
      path,
      isThere: bases.some((base) => existsSync(join(ROOT, base, path))),
    }))
  })
  expect(named.length).toBeGreaterThan(100)
  expect(named.flatMap(({ path, isThere }) => (isThere ? [] : [path]))).toEqual([])
})

/** What looks like a path: with a slash, or the name of a file. */
function codesIn(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.ts)`/g)].map(([, path = '']) => path)
}

test('the rooms are the folders of src/', () => {
  const [, diagram = ''] = /\n((?: {4}.*\n)+)\n## Where/.exec(TEXT) ?? []
  const named = diagram
    .split('\n')
    .flatMap((line) => /^ {4}([\w.]+(?: · [\w.]+)*) {2,}/.exec(line)?.[1]?.split(' · ') ?? [])
  expect(named.toSorted()).toEqual(readdirSync(join(ROOT, 'src')).toSorted())
})
