import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import { type AppliedFix, applyFixes } from './apply-fixes.ts'

const MARK = '\ufeff'

export type FixOutcome =
  | { readonly kind: 'fixed'; readonly applied: readonly AppliedFix[] }
  /** Nothing in the file was changed. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Repairs one file in place, if it still holds `expected`: what was read before the check that found `diagnostics`. Line
 * ends and byte order mark stay as they are.
 */
export async function fixFile(
  file: string,
  expected: Buffer,
  diagnostics: readonly Diagnostic[],
): Promise<FixOutcome> {
  const nothing: FixOutcome = { kind: 'fixed', applied: [] }
  if (!isUtf8(expected)) return nothing
  const whole = expected.toString('utf8')
  const mark = whole.startsWith(MARK) ? MARK : ''
  const { text, applied } = applyFixes(whole.slice(mark.length), diagnostics)
  if (applied.length === 0 || !(await holds(file, expected))) return nothing
  try {
    await writeFileWhole(file, mark + text)
  } catch (cause) {
    return { kind: 'failed', reason: reasonWithoutPath(cause) }
  }
  return { kind: 'fixed', applied }
}

async function holds(file: string, expected: Buffer): Promise<boolean> {
  return readFile(file).then(
    (bytes) => bytes.equals(expected),
    () => false,
  )
}
