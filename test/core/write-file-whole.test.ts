import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textInPieces, writeFileWhole } from '../../src/core/write-file-whole.ts'
import { temporaryFolder } from '../support/folder.ts'

test('creates or replaces the file and leaves nothing else behind', async () => {
  const file = join(temporaryFolder(), 'a.txt')
  await writeFileWhole(file, 'one')
  await writeFileWhole(file, 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(readdirSync(join(file, '..'))).toEqual(['a.txt'])
})

test('keeps mode and link', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.txt')
  writeFileSync(file, 'one')
  chmodSync(file, 0o640)
  symlinkSync(file, join(folder, 'link.txt'))
  await writeFileWhole(join(folder, 'link.txt'), 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(lstatSync(join(folder, 'link.txt')).isSymbolicLink()).toBe(true)
})

test('a failed write keeps the old text and leaves nothing else behind', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'is-a-folder'))
  await expect(writeFileWhole(join(folder, 'is-a-folder'), 'text')).rejects.toThrow('EISDIR')
  await expect(writeFileWhole(join(folder, 'missing', 'a.txt'), 'text')).rejects.toThrow('ENOENT')
  expect(readdirSync(folder)).toEqual(['is-a-folder'])
})

test('writes many items in chunks, each once', async () => {
  const file = join(temporaryFolder(), 'a.txt')
  const items = Array.from({ length: 2_500 }, (_, index) => `item ${index}`)
  const pieces = [...textInPieces(items, (item, index) => `${index}: ${item}\n`)]
  await writeFileWhole(file, pieces)
  expect(pieces).toHaveLength(3)
  expect(readFileSync(file, 'utf8')).toBe(items.map((item, index) => `${index}: ${item}\n`).join(''))
})
