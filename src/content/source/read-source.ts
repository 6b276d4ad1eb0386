import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { reasonWithoutPath } from '../../core/errors/kb-error.ts'
import type { Problem } from '../../core/model/diagnostic.ts'

type ReadSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: Problem }

type ReadBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'problem'; readonly problem: Problem }

export function readBytes(file: string): ReadBytes {
  try {
    return { kind: 'bytes', bytes: readFileSync(file) }
  } catch (error) {
    const message = `The file could not be read: ${reasonWithoutPath(error)}.`
    return { kind: 'problem', problem: { code: 'file-unreadable', message, line: 1, column: 1 } }
  }
}

/** Reads a file as UTF-8 text without its byte order mark. */
export function readSource(file: string): ReadSource {
  const read = readBytes(file)
  return read.kind === 'bytes' ? decodeSource(read.bytes) : read
}

/** Decodes a file's bytes. For the message, finds the position of the first byte that is not UTF-8. */
export function decodeSource(bytes: Buffer): ReadSource {
  if (!isUtf8(bytes)) return problem(notUtf8(bytes))
  const text = bytes.toString('utf8')
  const withoutMark = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (withoutMark.trim() === '') {
    return problem({
      code: 'file-empty',
      message: 'The file is empty.',
      hint: 'Write an article that starts with frontmatter, or delete the file.',
      line: 1,
      column: 1,
    })
  }
  return { kind: 'text', text: withoutMark }
}

function notUtf8(bytes: Buffer): Problem {
  const mark = bytes.subarray(0, 2).toString('hex')
  const hint =
    mark === 'fffe' || mark === 'feff'
      ? 'It looks like UTF-16: save the file as UTF-8.'
      : bytes.includes(0)
        ? 'It looks like a binary file: rename it, or add it to exclude in kb.config.ts.'
        : 'Save the file as UTF-8 in your editor.'
  const start = firstInvalid(bytes)
  const before = bytes.subarray(0, start).toString('utf8')
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  const byte = (bytes[start] ?? 0).toString(16).padStart(2, '0')
  return {
    code: 'file-not-utf8',
    message: `The file is not UTF-8 text: byte 0x${byte} at this position is not part of a character.`,
    hint,
    line,
    column: before.length - lineStart + 1,
  }
}

/** Returns the offset of the first byte that is not UTF-8, by binary search for the longest valid prefix. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isUtf8(bytes.subarray(0, backToBoundary(bytes, middle)))) valid = middle
    else invalid = middle
  }
  return backToBoundary(bytes, valid)
}

/** Decreases `end` so that the prefix does not split a multi-byte character. */
function backToBoundary(bytes: Buffer, end: number): number {
  for (let back = 1; back <= 3 && end - back >= 0; back++) {
    const byte = bytes[end - back] ?? 0
    if (byte < 0x80) return end
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? end - back : end
    }
  }
  return end
}

function problem(value: Problem): ReadSource {
  return { kind: 'problem', problem: value }
}
