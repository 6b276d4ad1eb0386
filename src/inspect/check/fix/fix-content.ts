import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { leadsInside } from '../../../core/paths.ts'
import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import { groupBy } from '../../../core/group-by.ts'
import { type CheckResult, runCheck, type RunCheckOptions } from '../run-check.ts'
import { type AppliedFix, applyFixes } from './apply-fixes.ts'
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import { tryTo } from '../../../core/try-to.ts'

export interface FixResult extends CheckResult {
  /** In the order of application. Positions are those before the fix. */
  readonly fixed: readonly AppliedFix[]
  /** Files that could not be written. They are unchanged. */
  readonly unwritten: readonly UnwrittenFile[]
  /** For a run that writes nothing: the texts after the first round. A fix may reveal further problems. */
  readonly texts?: readonly FixedText[]
}

/** A text that fixes would write. */
export interface FixedText {
  /** Relative to the project, with `/`. */
  readonly file: string
  readonly before: string
  readonly after: string
}

export interface UnwrittenFile {
  /** Relative to the project, with `/`. */
  readonly file: string
  readonly reason: string
}

/** Maximum number of rounds, because a fix may reveal further problems. After that, the text stays as it is. */
const MOST_ROUNDS = 10

/**
 * Runs checks and applies safe fixes until there are none left, then reports the remaining problems. Files that change
 * during the run, and files outside the content folder, are not changed. A file that cannot be written does not prevent
 * fixes of others.
 *
 * @throws KbError as `runCheck`
 */
export async function fixContent(options: RunCheckOptions): Promise<FixResult> {
  const fixed: AppliedFix[] = []
  const unwritten: UnwrittenFile[] = []
  // External links are requested once, at the end, because no fix concerns them.
  const local = { ...options, external: undefined }
  let result = await runCheck(local)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const made = await fixOnce(result.diagnostics, local, unwritten)
    if (made.length === 0) break
    fixed.push(...made)
    result = await runCheck(local)
  }
  return { ...(options.external === undefined ? result : await runCheck(options)), fixed, unwritten }
}

/** Checks and returns the possible fixes. Writes nothing. @throws KbError as `runCheck` */
export async function previewFixes(options: RunCheckOptions): Promise<FixResult> {
  const { root, contentRoot } = options.settings
  const result = await runCheck(options)
  const files = [...readFixable(result.diagnostics, root, contentRoot)].filter(([, bytes]) => isUtf8(bytes))
  const previews = files.map(([file, bytes]) => {
    const before = bytes.toString('utf8').replace(MARK, '')
    const found = result.diagnostics.filter((diagnostic) => diagnostic.file === file)
    return { file, before, ...applyFixes(before, found) }
  })
  const fixed = previews.flatMap(({ applied }) => applied)
  const known = new Set(fixed.map(placeOf))
  return {
    ...result,
    diagnostics: result.diagnostics.filter((each) => !hasFix(each) || !known.has(placeOf(each))),
    fixed,
    unwritten: [],
    texts: previews.flatMap(({ file, before, text, applied }) =>
      applied.length === 0 ? [] : [{ file, before, after: text }],
    ),
  }
}

function placeOf({ file, line, column, code, message }: Omit<AppliedFix, 'changes'>): string {
  return [file, line, column, code, message].join('\0')
}

async function fixOnce(found: readonly Diagnostic[], options: RunCheckOptions, unwritten: UnwrittenFile[]) {
  const { root, contentRoot } = options.settings
  const texts = readFixable(found, root, contentRoot)
  for (const { file } of unwritten) texts.delete(file)
  if (texts.size === 0) return []
  // The problems found now belong to exactly these texts, if the files are unchanged afterwards.
  const { diagnostics } = await runCheck(options)
  const made: AppliedFix[] = []
  for (const [file, fixable] of groupBy(diagnostics.filter(hasFix), (diagnostic) => diagnostic.file)) {
    // The following check reports the interruption.
    if (options.signal?.aborted === true) break
    const text = texts.get(file)
    if (text === undefined) continue
    const outcome = await fixFile(join(root, file), text, fixable)
    if (outcome.kind === 'failed') unwritten.push({ file, reason: outcome.reason })
    else made.push(...outcome.applied)
  }
  return made
}

function readFixable(found: readonly Diagnostic[], root: string, contentRoot: string): Map<string, Buffer> {
  const texts = new Map<string, Buffer>()
  for (const file of new Set(found.filter(hasFix).map((diagnostic) => diagnostic.file))) {
    const path = join(root, file)
    if (!leadsInside(contentRoot, relative(contentRoot, path))) continue
    const bytes = tryTo(() => readFileSync(path))
    if (bytes !== undefined) texts.set(file, bytes)
  }
  return texts
}

function hasFix({ fix }: Diagnostic): boolean {
  return fix !== undefined
}

const MARK = '\ufeff'

type FixOutcome =
  | { readonly kind: 'fixed'; readonly applied: readonly AppliedFix[] }
  /** The file is unchanged. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Fixes one file in place, if it still contains `expected`, which was read before the check that found `diagnostics`.
 * Line endings and byte order mark stay the same.
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
