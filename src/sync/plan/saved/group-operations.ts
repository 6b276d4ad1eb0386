// Groups operations of a plan that depend on each other, so that several jobs can execute the groups concurrently.
import { documentKey } from '../../../core/model/document.ts'
import type { Operation } from '../../../core/model/plan.ts'
import { hashedSlugKey, type RemoteEntry, sentSlugKey, writtenSlugKey } from '../remote-entry.ts'
import type { PlanGrounds } from './save-operations.ts'

interface Group {
  readonly operations: Operation[]
  /** Keys that connect the operation with others. */
  readonly ties: string[]
}

/**
 * Groups operations that share a file, an article, a document key, a slug or an original, directly or through others:
 * one may have to wait for another, or decides which article belongs to which file. Categories and tags are one group.
 * Pure.
 *
 * @returns the name of the group of each operation that is not alone
 */
export function groupOperations(
  operations: readonly Operation[],
  grounds: Pick<PlanGrounds, 'wanted' | 'entries'>,
): ReadonlyMap<Operation, string> {
  const tiesOf = createTiesOf(grounds)
  const groups = new Map<string, Group>()
  for (const operation of operations) {
    const ties = tiesOf(operation)
    const found = new Set(ties.flatMap((tie) => groups.get(tie) ?? []))
    const [largest = { operations: [], ties: [] }, ...others] = [...found].toSorted(
      (one, other) => other.ties.length - one.ties.length,
    )
    for (const other of [...others, { operations: [operation], ties }]) {
      largest.operations.push(...other.operations)
      largest.ties.push(...other.ties)
      for (const tie of other.ties) groups.set(tie, largest)
    }
  }
  return new Map(
    [...new Set(groups.values())].flatMap(({ operations: members }) => {
      const [name = ''] = members.map(({ source, id = '' }) => source ?? id).toSorted()
      return members.length === 1 ? [] : members.map((member) => [member, name] as const)
    }),
  )
}

function createTiesOf({ wanted, entries }: Pick<PlanGrounds, 'wanted' | 'entries'>) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const languages = [...new Set(entries.map(({ language }) => language))]
  return (operation: Operation): string[] => {
    const { kind, source, id, language } = operation
    if (kind !== 'article') return ['taxonomy']
    const { article, translationOf } = (source === undefined ? undefined : wanted.get(source)) ?? {}
    const entry = byId.get(id ?? '')
    return [
      `at ${hashedSlugKey(operation)}`,
      ...[source, article?.original].flatMap((each) => (each === undefined ? [] : [`file ${each}`])),
      // The key contains the language, and an article may carry the key of an earlier one.
      ...(source === undefined
        ? []
        : [language, ...languages].map((each) => `key ${documentKey(source, each)}`)),
      ...[id, translationOf?.id].flatMap((each) => (each === undefined ? [] : [`id ${each}`])),
      ...(entry === undefined ? [] : tiesOfEntry(entry)),
    ]
  }
}

function tiesOfEntry(entry: RemoteEntry): string[] {
  const addresses = [hashedSlugKey(entry), sentSlugKey(entry), writtenSlugKey(entry)]
  return [
    ...addresses.flatMap((address) => (address === undefined ? [] : [`at ${address}`])),
    ...(entry.ours === undefined ? [] : [`key ${entry.ours.key}`]),
    ...(entry.languageParent === undefined ? [] : [`id ${entry.languageParent}`]),
  ]
}
