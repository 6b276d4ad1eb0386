import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'

interface ProblemsBefore {
  readonly reported: readonly Diagnostic[]
  /** Problems of files that were gone. */
  readonly lost: readonly Diagnostic[]
}

export interface ProblemChange {
  readonly appeared: readonly Diagnostic[]
  /** Files that exist and had an error, or other problems, and have none now. */
  readonly fixed: readonly string[]
  /** Problems of files that are gone now, to recognise them if the files come back. */
  readonly lost: readonly Diagnostic[]
  readonly isOther: boolean
}

/**
 * Compares the problems with the previous ones. A problem is not new if it moved to another line, or if its file moved
 * to another path, or came back.
 */
export function compareProblems(
  { reported, lost }: ProblemsBefore,
  now: readonly Diagnostic[],
  isThere: (file: string) => boolean,
): ProblemChange {
  const other = withoutSameEnds(reported, now)
  const here = matchUp([...other.before, ...lost], other.now, (one) => [one.file, textOf(one)].join('\0'))
  const gone = here.left.filter(({ file }) => !isThere(file))
  const moved = matchUp(gone, here.added, textOf)
  return {
    appeared: moved.added,
    fixed: fixedFiles(other.before, now).filter(isThere),
    lost: moved.left,
    isOther: other.before.map(placeOf).join('\n') !== other.now.map(placeOf).join('\n'),
  }
}

function matchUp(
  before: readonly Diagnostic[],
  now: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): { readonly left: readonly Diagnostic[]; readonly added: readonly Diagnostic[] } {
  const left = new Map<string, Diagnostic[]>()
  for (const one of before) {
    const alike = left.get(keyOf(one))
    if (alike === undefined) left.set(keyOf(one), [one])
    else alike.push(one)
  }
  const added = now.filter((one) => left.get(keyOf(one))?.pop() === undefined)
  return { left: [...left.values()].flat(), added }
}

function fixedFiles(before: readonly Diagnostic[], now: readonly Diagnostic[]): string[] {
  if (before.length === 0) return []
  const faulty = new Set(now.filter(isError).map(({ file }) => file))
  const doubtful = new Set(now.map(({ file }) => file))
  const fixed = before.filter((one) => (isError(one) ? !faulty.has(one.file) : !doubtful.has(one.file)))
  return [...new Set(fixed.map(({ file }) => file))].filter((file) => !faulty.has(file))
}

function textOf({ code, severity, message }: Diagnostic): string {
  return [code, severity, message].join('\0')
}

function placeOf(one: Diagnostic): string {
  return [one.file, textOf(one), one.line, one.column].join('\0')
}
