import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadLine } from './frame.ts'

const LARGEST_BYTES = 16_000_000

/** Reads lines of files under `root` when they are asked for; the file asked last is kept. */
export function createLineReader(root: string): ReadLine {
  let kept: { readonly file: string; readonly lines: readonly string[] } | undefined
  return (file, line) => {
    if (kept?.file !== file) kept = { file, lines: readLines(join(root, file)) }
    return kept.lines[line - 1]
  }
}

/** Nothing of a file that is gone: a frame is a gift. */
function readLines(file: string): readonly string[] {
  try {
    if (statSync(file).size > LARGEST_BYTES) return []
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r\n|\n|\r/)
  } catch {
    return []
  }
}
