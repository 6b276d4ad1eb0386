import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeArticleFile } from '../../../src/authoring/pull/write-proposed-files.ts'

let base: string
let root: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kb-write-')))
  root = join(base, 'content')
  mkdirSync(root)
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

test('writes a file, creates folders, leaves nothing else behind', async () => {
  await writeArticleFile(root, 'guides/new/a.md', 'text\n')
  expect(readFileSync(join(root, 'guides/new/a.md'), 'utf8')).toBe('text\n')
  expect(readdirSync(join(root, 'guides/new'))).toEqual(['a.md'])
})

test('keeps the mode of a file', async () => {
  writeFileSync(join(root, 'a.md'), 'old')
  chmodSync(join(root, 'a.md'), 0o640)
  await writeArticleFile(root, 'a.md', 'new')
  expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('new')
  expect(statSync(join(root, 'a.md')).mode & 0o777).toBe(0o640)
})

test('overwrites nothing if a new file is requested', async () => {
  writeFileSync(join(root, 'a.md'), 'old')
  await expect(writeArticleFile(root, 'a.md', 'new', { createNew: true })).rejects.toMatchObject({
    code: 'FILES_UNWRITABLE',
    message: 'a.md could not be written: a file with that name already exists.',
  })
  expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('old')
})

test.each(['../a.md', 'x/../../a.md', '.', ''])('refuses %j', async (source) => {
  await expect(writeArticleFile(root, source, 'x')).rejects.toMatchObject({
    code: 'FILES_UNWRITABLE',
    message: `${source} could not be written: it is not inside the content folder.`,
  })
  expect(readdirSync(base)).toEqual(['content'])
})

test('rejects a folder or a file behind a link that leads outside, and follows one that stays inside', async () => {
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(base, 'outside', 'b.md'), 'theirs')
  symlinkSync(join(base, 'outside'), join(root, 'linked'))
  symlinkSync(join(base, 'outside', 'b.md'), join(root, 'b.md'))
  symlinkSync(join(base, 'outside', 'none.md'), join(root, 'c.md'))
  for (const source of ['linked/a.md', 'linked/deep/a.md', 'b.md', 'c.md'])
    await expect(writeArticleFile(root, source, 'x')).rejects.toMatchObject({ code: 'FILES_UNWRITABLE' })
  expect(readdirSync(join(base, 'outside'))).toEqual(['b.md'])
  expect(readFileSync(join(base, 'outside', 'b.md'), 'utf8')).toBe('theirs')

  writeFileSync(join(root, 'd.md'), 'old')
  symlinkSync('d.md', join(root, 'e.md'))
  await writeArticleFile(root, 'e.md', 'new')
  expect(readFileSync(join(root, 'd.md'), 'utf8')).toBe('new')
})
