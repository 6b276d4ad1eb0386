import * as fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatStamp } from '../../../src/content/source/find-sources.ts'
import {
  compareFiles,
  type IndexedFile,
  openRunIndex,
  renewRunIndex,
  writeRunIndex,
} from '../../../src/sync/state/run-index.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { EMPTY_INDEX, EMPTY_TARGET } from '../../support/empty-index.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { readRuns } from '../../support/runs.ts'

// No file system allows U+0000 in a name, but most allow a newline.
const source = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 5 })
  .filter((name) => !name.includes('\0'))
const version = fc.nat(2)
const tree = fc.uniqueArray(fc.tuple(fc.oneof(source, fc.constantFrom('a', 'b\nc', 'd')), version), {
  selector: ([name]) => name,
  maxLength: 8,
})

function fileOf(name: string, size: number): IndexedFile {
  return { source: name, size, mtimeMs: 1.5, ctimeMs: 2, ino: 3, hash: `${name.length} ${size}` }
}

function compareNaively(files: readonly IndexedFile[], before: readonly IndexedFile[]) {
  const known = new Map(before.map((file) => [file.source, file]))
  const touched = files.filter((file) => known.get(file.source)?.size !== file.size)
  return {
    known: files.map((file) => known.get(file.source)?.hash),
    touched: touched.map((file) => ({ source: file.source, before: known.get(file.source)?.hash })),
    areSame: files.map((file) => file.source).join('\0') === before.map((file) => file.source).join('\0'),
  }
}

test('files are compared with those of the index, with later edits', async () => {
  const path = join(temporaryFolder(), 'index')
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.boolean(), fc.nat(7), async (one, other, isEdited, at) => {
      const before = one.map(([name, size]) => fileOf(name, size))
      // Mostly the same names in the same order.
      const now = (isEdited ? one : other).map(([name, size], index) =>
        fileOf(name, index === at ? size + 1 : size),
      )
      await writeRunIndex(path, {
        run: 'r',
        content: EMPTY_INDEX,
        articles: [],
        target: EMPTY_TARGET,
        files: before,
      })
      const compare = (edits: readonly IndexedFile[]) => {
        const marked = edits.map((file) => ({
          source: file.source,
          file,
          linksTo: [],
          name: '',
          diagnostics: [],
        }))
        const index = openRunIndex(path, { run: 'r', edits: marked })
        return index && compareFiles(now, index)
      }
      expect(compare([])).toEqual(compareNaively(now, before))
      const edits = isEdited ? now.slice(at, at + 1) : []
      const edited = before.map((file) => edits.find((edit) => edit.source === file.source) ?? file)
      expect(compare(edits)).toEqual(compareNaively(now, edited))
    }),
    readRuns('HISTORIES', 100),
  )
})

test('new stamps do not change the rest of an index', async () => {
  const path = join(temporaryFolder(), 'index')
  const row = { source: 'ä.md', hash: 'h', slug: 'a', language: null, linksTo: [] }
  const index = {
    run: 'r',
    content: EMPTY_INDEX,
    articles: [row],
    target: EMPTY_TARGET,
    files: [fileOf('ä.md', 1)],
  }
  await writeRunIndex(path, index)
  const written = openRunIndex(path, { run: 'r', edits: [] })
  if (written === undefined) throw new Error('there is an index')
  await renewRunIndex(path, written, [fileOf('ä.md', 2)])
  const renewed = openRunIndex(path, { run: 'r', edits: [] })
  expect(renewed?.files).toBe(`${formatStamp(fileOf('ä.md', 2))}4 2\n`)
  expect(renewed?.rows.all()).toEqual([row])
  expect({ ...renewed?.content }).toEqual(JSON.parse(JSON.stringify(EMPTY_INDEX)))
})

test('a damaged list of files ends at the damage', () => {
  const files = [fileOf('a', 1), fileOf('b', 1), fileOf('c', 1)]
  const lines = files.map(formatStamp)
  const whole = lines.map((line, index) => `${line}${files[index]?.hash}\n`).join('')
  for (let length = 0; length < whole.length; length++) {
    const text = whole.slice(0, length).padEnd(whole.length, '\0')
    expect(compareFiles(files, { files: text, edited: new Map() }).areSame).toBe(false)
  }
})
