import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import { effectOf } from '../../../core/model/plan.ts'
import type { SavedOperation } from './saved-plan.ts'

/**
 * Says, one sentence for each, in what a plan made now differs from one that was saved; none where it may be executed as
 * it was shown. Order and wording of reasons count for nothing. Pure.
 */
export function comparePlans(
  saved: readonly SavedOperation[],
  fresh: readonly SavedOperation[],
  diagnostics: readonly Diagnostic[] = [],
): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const known = new Set(saved.map(identityOf))
  const current = new Set(fresh.map(identityOf))
  const gone = saved.filter((operation) => !current.has(identityOf(operation)))
  const come = fresh.filter((operation) => !known.has(identityOf(operation)))
  return [...errors.map(({ file, message }) => `${file}: ${message}`), ...explainAll(gone, come)]
}

function explainAll(gone: readonly SavedOperation[], come: readonly SavedOperation[]): string[] {
  const waiting = new Map(gone.map((operation) => [subjectOf(operation), operation]))
  const explained = come.map((operation) => {
    const before = waiting.get(subjectOf(operation))
    waiting.delete(subjectOf(operation))
    return before === undefined
      ? `${nameOf(operation)}: ${operation.action} is new${reasonOf(operation)}`
      : explainChange(before, operation)
  })
  const settled = [...waiting.values()].map(
    (operation) => `${nameOf(operation)}: ${operation.action} is not called for any more`,
  )
  return [...explained, ...settled]
}

function explainChange(before: SavedOperation, now: SavedOperation): string {
  const name = nameOf(now)
  if (before.action !== now.action) return `${name}: ${before.action} is now ${now.action}${reasonOf(now)}`
  const [effectBefore, effectNow] = [effectOf(before), effectOf(now)]
  if (effectBefore !== effectNow) return `${name}: ${effectBefore} is now ${effectNow}${reasonOf(now)}`
  if (before.id !== now.id) return `${name}: it is about another ${now.kind} of the target now`
  const isFileChanged = before.sends !== now.sends
  const isTargetChanged = before.restsOn !== now.restsOn
  const file = now.kind === 'article' ? 'the file, or what it refers to,' : 'the file'
  if (isFileChanged && isTargetChanged) return `${name}: ${file} and the ${now.kind} on the target changed`
  return isTargetChanged ? `${name}: the ${now.kind} was changed on the target` : `${name}: ${file} changed`
}

function nameOf({ kind, source, slug }: SavedOperation): string {
  if (kind !== 'article') return `${kind} ${slug}`
  return source ?? slug
}

function reasonOf({ reason }: SavedOperation): string {
  return reason === undefined ? '' : ` (${reason})`
}

function identityOf(operation: SavedOperation): string {
  const { kind, action, source, slug, language, id, sends, restsOn } = operation
  return JSON.stringify([kind, action, effectOf(operation), source, slug, language, id, sends, restsOn])
}

/** What an operation is about: a document, where there is one. */
function subjectOf({ kind, source, slug, id }: SavedOperation): string {
  return JSON.stringify(kind === 'article' && source !== undefined ? [kind, source] : [kind, slug, id])
}
