// Advice on conflicts, once per kind, because the list above may be long.
import { type ConflictKind, conflictKindOf, type OperationResult } from '../../core/model/plan.ts'
import { EDITED_ON_BOTH_SIDES, type PulledFile } from '../../authoring/pull/pulled-files.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'

const TAKEN = 'Use another slug, or take over that article: kb sync --adopt SLUG.'

const ADVICE: Readonly<Record<ConflictKind, string>> = {
  edited: `kb pull PATH copies the edit made on the target into the file.
If the file was changed in the same place, copy what you want by hand;
kb plan PATH --diff shows both. kb sync PATH --on-conflict overwrite
sends the file, and discards the edit on the target.`,
  orphanEdited: `Restore the file, or delete the edited article anyway with
kb sync --prune --on-conflict overwrite.`,
  draft: 'Publish or discard the draft on the target, then run kb sync again.',
  orphanDraft: 'Publish or discard the draft on the target, then run kb sync --prune.',
  foreign: TAKEN,
  otherProject: TAKEN,
  original: `The target cannot change an article in place.
Make the same change there, or remove the relation from its translation.`,
  slugHeld: 'First resolve the conflict of the article that uses the slug.',
  copy: 'Use another slug, or delete the copy on the target, or change its slug there.',
  shared: `Delete one of the two articles on the target, or change the slug of the other one
slug there.`,
  duplicate: `Delete one of the two articles on the target. To keep both, remove the comment at the
end of the HTML of the copy.`,
  earlier: 'kb sync --prune deletes earlier versions.',
  restore: 'Free the slug on the target. Then the next kb sync restores the article.',
}

/** Formats one hint per kind of conflict. Other kinds contain their own advice. */
export function adviseOnConflicts(operations: readonly OperationResult[], terminal: TerminalStyle): string[] {
  return adviceLines(operations).flatMap((text) => formatHint(text, terminal))
}

/** Returns the same hints as plain texts, possibly with several lines. */
export function adviceLines(operations: readonly OperationResult[]): string[] {
  const kinds = operations.flatMap(({ action, reason = '' }) =>
    action === 'conflict' ? (conflictKindOf(reason) ?? []) : [],
  )
  return [...new Set(kinds.map((kind) => ADVICE[kind]))]
}

/** Formats advice if both sides of a file have changed. Other conflicts of a pull contain their own advice. */
export function adviseOnPulled(files: readonly PulledFile[], terminal: TerminalStyle): string[] {
  const isOpen = files.some(({ action, reason }) => action === 'conflict' && reason === EDITED_ON_BOTH_SIDES)
  const advice = `kb pull PATH --on-conflict overwrite takes the version on the target;
kb sync PATH --on-conflict overwrite sends the file.`
  return isOpen ? formatHint(advice, terminal) : []
}

/** Returns slugs of `--adopt` without an article, because a typo would otherwise be ignored silently. */
export function findUnusedAdopts(
  operations: readonly OperationResult[],
  adopt: readonly string[] = [],
): string[] {
  const used = new Set(
    operations.flatMap(({ slug, action, reason }) =>
      reason === 'adopted' || action === 'conflict' || action === 'skip' ? [slug] : [],
    ),
  )
  return adopt.filter((slug) => !used.has(slug))
}

function formatHint(text: string, { colors, columns }: TerminalStyle): string[] {
  const [first = '', ...rest] = `hint: ${text}`
    .split('\n')
    .flatMap((line) => wrapToColumns(line, columns - 4))
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)].map((line) => colors.dim(line))
}
