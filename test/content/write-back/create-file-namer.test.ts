import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slugOfSource } from '../../../src/content/frontmatter/build-document.ts'
import { createFileNames } from '../../../src/content/write-back/create-file-namer.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { readRuns } from '../../support/runs.ts'

describe('createFileNamer', () => {
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
    expect(createFileNames([])(slug)).toBe(name)
  })

  test('a name is taken in any case and Unicode form', () => {
    const nameFile = createFileNames(['CAFE\u0301', 'caf\u00E9-2'])
    expect(nameFile('Caf\u00E9')).toBe('Caf\u00E9-3')
    expect(nameFile('cafe\u0301')).toBe('caf\u00E9-4')
    expect(nameFile('caf\u00E9-4')).toBe('caf\u00E9-4-2')
  })

  test('thousands of articles with one slug are named quickly', () => {
    const nameFile = createFileNames([])
    const names = new Set(Array.from({ length: 5000 }, () => nameFile('page')))
    expect([names.size, names.has('page'), names.has('page-5000')]).toEqual([5000, true, true])
  })

  test('for any slug, the name is valid on every system and for an article', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (slug) => {
        const name = createFileNames([])(slug)
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
