// Compares the reader with JSON.parse of the whole text: the results must be equal, whatever the text and its parts.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createListReader } from '../../../src/api/client/stream-lists.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'

const RUNS = readRuns('FUZZ', 500)
const NO_JSON = Symbol('no JSON')

/** The response from the reader, assembled again. */
function readInPieces(bytes: Uint8Array, ends: readonly number[], longestWholeBytes: number): unknown {
  let entries: unknown[] | undefined
  const reader = createListReader(
    {
      begin: () => {
        entries = []
      },
      add: (added) => entries?.push(...added),
    },
    longestWholeBytes,
  )
  let from = 0
  for (const end of ends.toSorted((one, other) => one - other)) {
    reader.write(bytes.subarray(from, end))
    from = end
  }
  reader.write(bytes.subarray(from))
  const rest = parse(reader.end())
  return isObject(rest) && entries !== undefined ? { ...rest, data: entries } : rest
}

/** The parts that a client uses. */
function seenIn(answer: unknown): unknown {
  if (answer === NO_JSON) return answer
  const { success, message, data } = isObject(answer) ? answer : {}
  return { success, message: typeof message === 'string' ? message : undefined, data }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NO_JSON
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '"data":[',
    '\\',
    '"',
    '\\"',
    ']',
    '},{',
    '{"data":[1',
    '\u2028',
    '\ud800',
    'é😀',
    '__proto__',
  ),
)
const value = fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 4 })
const entry = fc.oneof(value, hostileText, fc.dictionary(hostileText, fc.oneof(value, hostileText)))
const data = fc.oneof({ weight: 5, arbitrary: fc.array(entry) }, { weight: 1, arbitrary: value })
const member = fc.oneof(
  fc.tuple(fc.constant('data'), data),
  fc.tuple(fc.constant('success'), fc.boolean()),
  fc.tuple(fc.oneof(hostileText, fc.constant('message')), entry),
)
/** Members in any order, with white space anywhere. Excludes U+FEFF, which the streaming parser drops. */
const answerText = fc
  .tuple(
    fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 5 }),
    fc.constantFrom('', ' ', '\n\t', '\r\n  '),
  )
  .map(([members, space]) =>
    [
      '{',
      members
        .map(([name, item]) => `${JSON.stringify(name)}${space}:${space}${JSON.stringify(item, null, space)}`)
        .join(`${space},${space}`),
      '}',
    ]
      .join(space)
      .replaceAll('\uFEFF', ''),
  )

/** The positions of cuts, and the maximum length that is kept whole. */
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 })
const limit = fc.oneof(fc.constant(0), fc.nat({ max: 400 }))

describe('a reader of a list has the same result as JSON.parse', () => {
  test('for every response', timeoutOf(RUNS, 20), () => {
    fc.assert(
      fc.property(answerText, cuts, limit, (text, ends, longestWholeBytes) => {
        const read = readInPieces(Buffer.from(text), ends, longestWholeBytes)
        expect(seenIn(read)).toEqual(seenIn(JSON.parse(text)))
      }),
      RUNS,
    )
  })

  test('for every damaged response, and for text that is not JSON', timeoutOf(RUNS, 20), () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom('', ',', '[', ']', '}', '"', '\\', '0'),
    )
    const damages = fc.array(damage, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(answerText, damages, cuts, limit, (text, all, ends, longestWholeBytes) => {
        const bytes = all.reduce((present, [at, length, put]) => {
          const start = at % (present.length + 1)
          return Buffer.concat([
            present.subarray(0, start),
            Buffer.from(put),
            present.subarray(start + length),
          ])
        }, Buffer.from(text))
        const read = readInPieces(bytes, ends, longestWholeBytes)
        expect(seenIn(read)).toEqual(seenIn(parse(decode(bytes))))
      }),
      RUNS,
    )
  })

  test.each([
    '',
    ' ',
    'null',
    '[]',
    '1',
    '[{"data":[1,2]}]',
    '["data",[1,2]]',
    '{"data":[]}',
    '{"data":[ ]}',
    '{"data":[,]}',
    '{"data":[1,]}',
    '{"data":[,1]}',
    '{"data":[1,,2]}',
    '{"data":[1 2]}',
    '{"data":[01]}',
    '{"data":[1,2}',
    '{"data":[{"a":[1},2]}',
    '{"data":[1,2]',
    '{"data":[1,2]}}',
    '{"data":[1,2]]}',
    '{"data":[1,2]}x',
    '{"data":[1,2]} \n',
    '{"data" [1,2]}',
    '{"data":[1],"data":[2,3]}',
    '{"data":null,"data":[1]}',
    '{"d\\u0061ta":[1,2]}',
    '{"x\\"data":[1,2],"data":[3]}',
    '{"x":"{","data":[1,"]",2]}',
    '{"data":{"data":[1,2]}}',
    '{"data":"[1,2]"}',
    '{"other":{"data":[1,2]},"data":[3]}',
    '{"other":[1,2],"data":[3]}',
    '{"data":[[1,[2]],{"data":[3]}],"success":true}',
    '{"data":[{"__proto__":{"a":1}}]}',
    '{"data":[{"a":1}, {"a":2}, {"a":3} ,{"a":4}]}',
    '{"data":[{"a":1},\u00a0{"a":2},\u00a0{"a":3}]}',
    '{"data":["\\ud800","\\udc00\\ud83d\\ude00"]}',
    '{"data":[1e400,-0,12345678901234567890]}',
    '\uFEFF{"data":[1,2]}',
  ])('byte by byte: %s', (text) => {
    const bytes = Buffer.from(text)
    const everywhere = Array.from(bytes.keys())
    const seen = seenIn(parse(decode(bytes)))
    expect(seenIn(readInPieces(bytes, everywhere, 0))).toEqual(seen)
    expect(seenIn(readInPieces(bytes, [], 0))).toEqual(seen)
    expect(seenIn(readInPieces(bytes, everywhere, bytes.length))).toEqual(seen)
  })

  test('for any bytes in a text', timeoutOf(RUNS, 20), () => {
    const start = Buffer.from('{"data":["')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), cuts, (text, ends) => {
        const bytes = Buffer.concat([start, text, Buffer.from('"]}')])
        const within = ends.map((end) => start.length + (end % (text.length + 1)))
        expect(seenIn(readInPieces(bytes, within, 0))).toEqual(seenIn(parse(decode(bytes))))
      }),
      RUNS,
    )
  })

  test('for invalid UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"data":["'),
      Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82]),
      Buffer.from('",2],"message":"'),
      Buffer.from([0xf0, 0x9f]),
      Buffer.from('"}'),
    ])
    const everywhere = Array.from(bytes.keys())
    expect(readInPieces(bytes, everywhere, 0)).toEqual(JSON.parse(decode(bytes)))
  })
})

describe('a reader of a list', () => {
  test('keeps a response whole up to its limit, then passes on the complete entries of parts of that length', () => {
    const seen: unknown[] = []
    const receiver = { begin: () => seen.push('begin'), add: (added: unknown) => seen.push(added) }
    const reader = createListReader(receiver, 24)
    const steps = ['{"success":true,"da', 'ta":[', '{"id":1},{"id":2},', '{"id":3', '},{}', ']', '}']
    const seenAfter = steps.map((step) => {
      reader.write(Buffer.from(step))
      return seen.splice(0)
    })
    expect(seenAfter).toEqual([[], [], ['begin', [{ id: 1 }, { id: 2 }]], [], [], [], []])
    expect(JSON.parse(reader.end())).toEqual({ success: true, data: [] })
    expect(seen).toEqual([[{ id: 3 }, {}]])
  })

  test.each([
    ['null', '{"success":true,"data":null}'],
    ['missing', '{"success":true,"message":""}'],
    ['no list', '{"success":true,"data":{"a":1}}'],
    ['empty', '{"success":true,"data":[],"other":[1]}'],
  ])('keeps a response whose list is %s, but none of more than 16 MiB', (_, text) => {
    const reader = () => createListReader({ begin: () => expect.unreachable(), add: () => {} }, 0)
    const [short, long] = [reader(), reader()]
    short.write(Buffer.from(text))
    expect(short.end()).toBe(text)
    long.write(Buffer.from(text))
    long.write(Buffer.alloc(16 * 1024 * 1024, ' '))
    expect(JSON.parse(long.end())).toMatchObject({ success: true, data: false })
  })

  test('passes on errors of its receiver', () => {
    const fault = new TypeError('a fault of ours')
    const receiver = {
      begin: () => {},
      add: () => {
        throw fault
      },
    }
    const reader = createListReader(receiver, 0)
    expect(() => reader.write(Buffer.from('{"data":[1'))).not.toThrow()
    expect(() => reader.write(Buffer.from(','))).toThrow(fault)
  })

  test.each([
    ['in the list', '{"success":true,"data":[1,"'],
    ['around it', '{"success":true,"message":"'],
    ['in what is of no use', '{"success":true,"other":["'],
  ])('keeps at most 16 MiB of an unclosed %s', (_, start) => {
    const reader = createListReader({ begin: () => {}, add: () => {} }, 0)
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    reader.write(Buffer.from(start))
    for (let count = 0; count < 17; count++) reader.write(megabyte)
    reader.write(Buffer.from('"]}'))
    expect(reader.end()).toBe('more than 16 MB in one piece')
  })

  test('keeps only the beginning of text that is not JSON', () => {
    const reader = createListReader({ begin: () => {}, add: () => {} }, 0)
    for (let count = 0; count < 20_000; count++) reader.write(Buffer.from('<html>'))
    expect(reader.end()).toBe(`${'<html>'.repeat(10_000).slice(0, 10_000)}{…`)
  })
})
