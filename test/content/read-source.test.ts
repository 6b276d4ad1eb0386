import * as fc from 'fast-check'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeSource, readSource } from '../../src/content/source/read-source.ts'
import { contentFolder } from './load-files.ts'
import { anyCharacter } from '../support/any-character.ts'
import { readRuns } from '../support/runs.ts'

const UTF8 = 'Save the file as UTF-8 in your editor.'
const UTF16 = 'It looks like UTF-16: save the file as UTF-8.'
const BINARY = 'It looks like a binary file: rename it, or add it to exclude in kb.config.ts.'

describe('bytes that are not UTF-8', () => {
  test.each([
    ['Latin-1', Buffer.from('caf\u00e9', 'latin1'), 1, 4, 'e9', UTF8],
    ['Latin-1 below other lines', Buffer.from('one\r\ntwo\n\u00fcber', 'latin1'), 3, 1, 'fc', UTF8],
    ['after characters of two units', Buffer.concat([Buffer.from('é😀'), Buffer.of(0xff)]), 1, 4, 'ff', UTF8],
    ['UTF-16 with its mark', Buffer.from('\ufefftitle', 'utf16le'), 1, 1, 'ff', UTF16],
    ['UTF-16, big end first', Buffer.from('\ufefftitle', 'utf16le').swap16(), 1, 1, 'fe', UTF16],
    ['a program', Buffer.of(0x7f, 0x45, 0x00, 0xfe), 1, 4, 'fe', BINARY],
    ['a character cut at the end', Buffer.from('a€').subarray(0, 3), 1, 2, 'e2', UTF8],
    ['a character cut in the middle', Buffer.from([0x61, 0xf0, 0x9f, 0x98, 0x62]), 1, 2, 'f0', UTF8],
    ['a continuation alone', Buffer.from([0x61, 0x0a, 0x80]), 2, 1, '80', UTF8],
    ['half a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 1, 2, 'ed', UTF8],
    ['more bytes than needed', Buffer.from([0xc0, 0xaf]), 1, 1, 'c0', UTF8],
  ])('%s', (_, bytes, line, column, byte, hint) => {
    const message = `The file is not UTF-8 text: byte 0x${byte} at this position is not part of a character.`
    expect(decodeSource(bytes)).toEqual({
      kind: 'problem',
      problem: { code: 'file-not-utf8', message, hint, line, column },
    })
  })

  test('are found at the first byte that does not start a character', () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(0x0a, 0x61, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff),
        fc.nat({ max: 255 }),
      ),
      { maxLength: 12 },
    )
    const valid = fc.string({ unit: anyCharacter }).map((text) => [...Buffer.from(text)])
    fc.assert(
      fc.property(valid, bytes, (before, after) => {
        const all = Buffer.from([...before, ...after])
        fc.pre(!isUtf8(all))
        const start = longestValid(all)
        const lines = all.subarray(0, start).toString().split('\n')
        expect(decodeSource(all)).toMatchObject({
          problem: { line: lines.length, column: (lines.at(-1) ?? '').length + 1 },
        })
      }),
      readRuns('FUZZ', 1000),
    )
  })
})

function longestValid(bytes: Buffer): number {
  let length = bytes.length
  while (!isUtf8(bytes.subarray(0, length))) length--
  return length
}

describe('bytes that are UTF-8', () => {
  test.each(['', ' \n\t\r\n', '\ufeff', '\ufeff\n'])('but are empty: %j', (text) => {
    expect(decodeSource(Buffer.from(text))).toEqual({
      kind: 'problem',
      problem: {
        code: 'file-empty',
        message: 'The file is empty.',
        hint: 'Write an article that starts with frontmatter, or delete the file.',
        line: 1,
        column: 1,
      },
    })
  })

  test.each([
    ['\ufeff---\n', '---\n'],
    ['a\ufeff', 'a\ufeff'],
    ['0', '0'],
  ])('%j is read as %j', (text, expected) => {
    expect(decodeSource(Buffer.from(text))).toEqual({ kind: 'text', text: expected })
  })
})

test('an unreadable file is a problem of that file', () => {
  expect(readSource(join(contentFolder({}), 'missing.md'))).toMatchObject({
    kind: 'problem',
    problem: {
      code: 'file-unreadable',
      message: 'The file could not be read: no such file or directory.',
      line: 1,
      column: 1,
    },
  })
})
