import { relative, sep } from 'node:path'
import type { LinkFinding, ReviewFinding } from '../../../web/report/report.ts'
import type { BaselineUse } from '../report-task.ts'
import { createAcceptance } from './create-acceptance.ts'
import type { FindingsToAccept } from './format-baseline.ts'
import { readBaseline } from './read-baseline.ts'
import { writeBaseline } from './write-baseline.ts'

/** The baseline of one report. */
export interface OpenBaseline {
  readonly acceptsOverdue: (finding: Omit<ReviewFinding, 'isAccepted'>) => boolean
  readonly acceptsBroken: (finding: Omit<LinkFinding, 'isAccepted'>) => boolean
  /** Entries that nothing needs any more; to be asked when every finding was. */
  readonly unneeded: () => readonly string[]
  /** Writes the baseline, where that was asked for. @throws KbError FILES_UNWRITABLE */
  readonly keep: (findings: FindingsToAccept) => Promise<void>
}

const NOTHING_ACCEPTED: OpenBaseline = {
  acceptsOverdue: () => false,
  acceptsBroken: () => false,
  unneeded: () => [],
  keep: () => Promise.resolve(),
}

/**
 * Opens the baseline: what it lists is accepted, or all that is found where it is to be written anew.
 *
 * @param isIgnored addresses that the report leaves out
 * @throws KbError BASELINE_INVALID
 */
export async function openBaseline(
  use: BaselineUse | undefined,
  root: string,
  isIgnored: (url: string) => boolean,
): Promise<OpenBaseline> {
  if (use === undefined) return NOTHING_ACCEPTED
  const { file: path, isWritten } = use
  const name = nameOf(path, root)
  if (!isWritten) {
    const acceptance = createAcceptance(await readBaseline({ path, name }), isIgnored)
    return { ...acceptance, keep: () => Promise.resolve() }
  }
  return {
    acceptsOverdue: () => true,
    acceptsBroken: () => true,
    unneeded: () => [],
    keep: (findings) => writeBaseline({ path, name }, findings),
  }
}

/** Relative to the project where it lies there. */
function nameOf(path: string, root: string): string {
  const way = relative(root, path)
  return way.startsWith('..') ? path : way.split(sep).join('/')
}
