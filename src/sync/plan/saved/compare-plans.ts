import { type Diagnostic, isError } from '../../../core/model/diagnostic.ts'
import { effectOf } from '../../../core/model/plan.ts'
import type { SavedOperation } from './saved-plan.ts'

/**
 * Describes, in one line each, how a new plan differs from a saved one. Empty if the saved plan can be executed as it
 * was shown. Ignores order and wording of reasons. Pure.
 *
 * @param names display names, by id, of articles without a file
 */
export function comparePlans(
  saved: readonly SavedOperation[],
  fresh: readonly SavedOperation[],
  diagnostics: readonly Diagnostic[] = [],
  names: ReadonlyMap<string, string> = new Map(),
): string[] {
  const errors = diagnostics.filter(isError)
  const known = new Set(saved.map(identityOf))
  const current = new Set(fresh.map(identityOf))
  const gone = saved.filter((operation) => !current.has(identityOf(operation)))
  const come = fresh.filter((operation) => !known.has(identityOf(operation)))
  const differences = explainAll(gone, come).map(({ operation, difference }) => {
    return `${nameOf(operation, names)}: ${difference}`
  })
  return [...errors.map(({ file, message }) => `${file}: ${message}`), ...differences]
}

function explainAll(gone: readonly SavedOperation[], come: readonly SavedOperation[]) {
  const waiting = new Map(gone.map((operation) => [subjectOf(operation), operation]))
  const explained = come.map((operation) => {
    const before = waiting.get(subjectOf(operation))
    waiting.delete(subjectOf(operation))
    const difference =
      before === undefined
        ? `not in the plan; now it would be ${doneTo(operation)}${reasonOf(operation)}`
        : explainChange(before, operation)
    return { operation, difference }
  })
  const settled = [...waiting.values()].map((operation) => ({
    operation,
    difference: `to be ${doneTo(operation)} in the plan; now there is nothing to do`,
  }))
  return [...explained, ...settled]
}

function explainChange(before: SavedOperation, now: SavedOperation): string {
  const [then, today] = [doneTo(before), doneTo(now)]
  if (then !== today) return `to be ${then} in the plan; now it would be ${today}${reasonOf(now)}`
  if (before.id !== now.id) return `the plan is about another ${now.kind} on the target`
  const isFileChanged = before.sends !== now.sends
  const isTargetChanged = before.restsOn !== now.restsOn
  const file = now.kind === 'article' ? 'the file, or one that it uses,' : 'the file'
  if (isFileChanged && isTargetChanged)
    return `${file} was edited since, and so was the ${now.kind} on the target`
  return isTargetChanged ? `the ${now.kind} was edited on the target since` : `${file} was edited since`
}

function doneTo(operation: SavedOperation): string {
  switch (operation.action) {
    case 'create':
      return 'created'
    case 'restore':
      return 'restored'
    case 'update':
      return 'updated'
    case 'replace':
      return 'replaced'
    case 'move':
      return operation.by === 'update' ? 'moved' : 'moved to a new article'
    case 'delete-orphan':
      return 'deleted'
    case 'delete-copy':
      return 'deleted as a duplicate'
    case 'conflict':
      return 'left alone as a conflict'
    case 'skip':
      return 'skipped'
  }
}

function nameOf({ kind, source, slug, id = '' }: SavedOperation, names: ReadonlyMap<string, string>): string {
  if (kind !== 'article') return `${kind} ${slug}`
  return source ?? names.get(id) ?? slug
}

function reasonOf({ reason }: SavedOperation): string {
  return reason === undefined ? '' : ` (${reason})`
}

function identityOf(operation: SavedOperation): string {
  const { kind, action, source, slug, language, id, sends, restsOn } = operation
  return JSON.stringify([kind, action, effectOf(operation), source, slug, language, id, sends, restsOn])
}

/** The identity of an operation: its document, if it has one. */
function subjectOf({ kind, source, slug, id }: SavedOperation): string {
  return JSON.stringify(kind === 'article' && source !== undefined ? [kind, source] : [kind, slug, id])
}
