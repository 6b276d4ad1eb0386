import { z } from 'zod'
import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import { RULES } from '../../../core/model/diagnostic-codes.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import { groupBy } from '../../../core/group-by.ts'
import {
  type BaselineFile,
  baselineFileOf,
  type BaselineFormat,
  type BaselineUse,
  formatBaselineFile,
  readBaselineFile,
  writeBaselineFile,
} from './baseline-file.ts'

/** A finding in a baseline: its subject, without a line. */
export interface AcceptedFinding extends Pick<Diagnostic, 'file' | 'message'> {
  readonly code: string
  /** Number of such findings in the file. Default: 1. */
  readonly count?: number | undefined
}

/** The effect of a baseline on the findings of a check. */
export interface BaselineResult {
  /** Number of findings that the baseline accepts. They are not among the diagnostics. */
  readonly accepted: number
  /** Entries that no longer match a finding, to be deleted from the file; `count` is the number of missing findings. */
  readonly resolved: readonly AcceptedFinding[]
}

export interface CheckBaseline {
  /** @param isComplete true if all findings of this code and file were looked for @throws KbError FILES_UNWRITABLE */
  readonly apply: (
    diagnostics: readonly Diagnostic[],
    isComplete: (entry: AcceptedFinding) => boolean,
  ) => Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly baseline: BaselineResult }>
}

const text = z.string().min(1)

const FORMAT = {
  command: 'kb check',
  version: 1,
  schema: z.strictObject({
    version: z.unknown(),
    findings: z.array(
      z.strictObject({ file: text, code: text, message: text, count: z.int().min(1).optional() }),
    ),
  }),
} satisfies BaselineFormat<{ readonly findings: readonly AcceptedFinding[] }>

/**
 * Reads the baseline before the check, so that a damaged one is reported at once. One that will be written accepts all,
 * and keeps the entries for what was not looked for.
 *
 * @throws KbError BASELINE_INVALID
 */
export async function openCheckBaseline(use: BaselineUse, root: string): Promise<CheckBaseline> {
  const file = baselineFileOf(use, root)
  const entries = await readEntries(file, use.isWritten)
  return {
    apply: async (found, isComplete) => {
      const { diagnostics, baseline, unmatched } = acceptFindings(found, entries, isComplete)
      if (!use.isWritten) return { diagnostics, baseline }
      const findings = toEntries([...found, ...unmatched])
      await writeBaselineFile(file, formatBaselineFile(FORMAT.version, { findings }))
      return { diagnostics: [], baseline: { accepted: countAll(findings), resolved: [] } }
    },
  }
}

async function readEntries(file: BaselineFile, isWritten: boolean): Promise<readonly AcceptedFinding[]> {
  try {
    return (await readBaselineFile(file, FORMAT)).findings
  } catch (error) {
    // A new one replaces a missing or damaged one.
    if (isWritten && error instanceof KbError) return []
    throw error
  }
}

/** Removes as many findings as the entries accept, the first ones in each file. Pure. */
function acceptFindings(
  diagnostics: readonly Diagnostic[],
  entries: readonly AcceptedFinding[],
  isComplete: (entry: AcceptedFinding) => boolean,
) {
  const left = new Map<string, number>()
  for (const entry of entries) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + (entry.count ?? 1))
  const remaining = diagnostics.filter((diagnostic) => {
    const count = left.get(keyOf(diagnostic)) ?? 0
    left.set(keyOf(diagnostic), count - 1)
    return count <= 0
  })
  const unneeded = entries.flatMap((entry) => {
    const rest = left.get(keyOf(entry)) ?? 0
    const count = Math.min(rest, entry.count ?? 1)
    left.set(keyOf(entry), rest - count)
    return count > 0 ? [withCount(entry, count)] : []
  })
  // An article that could not be read may still have its earlier findings, and so may those that link to it.
  const isRead = remaining.every(({ code }) => Object.hasOwn(RULES, code))
  const isResolved = (entry: AcceptedFinding) => isRead && isComplete(entry)
  return {
    diagnostics: remaining,
    baseline: { accepted: diagnostics.length - remaining.length, resolved: unneeded.filter(isResolved) },
    unmatched: unneeded.filter((entry) => !isResolved(entry)),
  }
}

function toEntries(findings: readonly AcceptedFinding[]): AcceptedFinding[] {
  return [...groupBy(findings, keyOf).values()].flatMap((group) =>
    group.slice(0, 1).map((first) => withCount(first, countAll(group))),
  )
}

function countAll(findings: readonly AcceptedFinding[]): number {
  return findings.reduce((sum, { count = 1 }) => sum + count, 0)
}

function withCount({ file, code, message }: AcceptedFinding, count: number): AcceptedFinding {
  return { file: file.normalize('NFC'), code, message, ...(count > 1 && { count }) }
}

/** Identifies a finding without lines and numbers of lines, which change with the rest of the file. */
function keyOf({ file, code, message }: AcceptedFinding): string {
  const lasting = message.replace(/\bon line \d+|\b\d+ lines?(?=\.$)/g, 'line')
  return [file.normalize('NFC'), code, lasting].join('\0')
}
