import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashSources } from '../../src/content/source/hash-sources.ts'
import { digest } from '../../src/core/digest.ts'
import { temporaryFolder } from '../support/folder.ts'

test('returns the digest of files of any size, and none for a missing file', () => {
  const folder = temporaryFolder()
  const sizes = [1000, 0, 262_143, 262_144, 1_000_000, 1]
  const expected = sizes.map((size) => {
    const bytes = Buffer.from('Text of some length. '.repeat(Math.ceil(size / 21))).subarray(0, size)
    writeFileSync(join(folder, `${size}.md`), bytes)
    return [`${size}.md`, digest(bytes)] as const
  })
  const sources = [...sizes.map((size) => `${size}.md`), 'missing.md']
  expect([...hashSources(folder, sources)]).toEqual([...expected, ['missing.md', undefined]])
})
