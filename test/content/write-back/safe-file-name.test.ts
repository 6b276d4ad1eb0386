import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slugOfSource } from '../../../src/content/build-document.ts'
import { safeFileName } from '../../../src/content/write-back/file/safe-file-name.ts'
import { readRuns } from '../../support/runs.ts'

const NONE: ReadonlySet<string> = new Set()

describe('safeFileName', () => {
  test.each([
    ['reset-password', 'reset-password'],
    ['Über-uns', 'Über-uns'],
    ['Cafe\u0301', 'Caf\u00E9'],
    ['../../etc/passwd', 'etc-passwd'],
    ['..', 'article'],
    ['', 'article'],
    ['_draft', 'draft'],
    ['.hidden', 'hidden'],
    ['a:b*c', 'a-b-c'],
    ['con', 'article-con'],
    ['NUL.txt', 'NUL-.txt'],
    ['com1', 'article-com1'],
    ['index', 'index-2'],
    ['README', 'README-2'],
    ['trailing. ', 'trailing'],
    ['a\u202Eb\u0000c', 'abc'],
    ['two words', 'two-words'],
  ])('%j becomes %j', (slug, name) => {
    expect(safeFileName(slug, NONE)).toBe(name)
  })

  test('a name is taken in any letter case and Unicode form', () => {
    expect(safeFileName('Caf\u00E9', new Set(['CAFE\u0301', 'caf\u00E9-2']))).toBe('Caf\u00E9-3')
  })

  test('whatever the slug, the name is one that every system takes and an article has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (slug) => {
        const name = safeFileName(slug, NONE)
        // eslint-disable-next-line no-control-regex
        expect(name).toMatch(/^[^_.\s/\\:*?"<>|\u0000-\u001F][^/\\:*?"<>|\u0000-\u001F]*$/u)
        expect(name).not.toMatch(/[. ]$/)
        expect(Buffer.byteLength(`${name}.md`)).toBeLessThanOrEqual(110)
        expect(name).toBe(name.normalize('NFC'))
        expect(slugOfSource(`folder/${name}.md`)).toBe(name)
      }),
      readRuns('FUZZ', 2000),
    )
  })
})
