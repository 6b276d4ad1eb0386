/** Why an article is in conflict, in the order of how often it happens: the command line says of each what to do. */
export const CONFLICT_REASONS = {
  edited: 'it was edited on the target',
  orphanEdited: 'it has no file, but it was edited on the target',
  draft: 'it has an open draft on the target',
  orphanDraft: 'it has no file, but it has an open draft on the target',
  foreign: 'the slug belongs to an article that kb-sync did not create',
  /** The name of the project follows. */
  otherProject: 'the slug belongs to an article of the project',
  original: 'it is the original of a translation, which would lose it',
  held: 'the slug is still used by another managed article, which cannot be sent now',
  copy: 'the slug belongs to a copy of a managed article',
  shared: 'another article has the same slug',
  double: 'the target has a second article for the same document',
  earlier: 'the target has an earlier version of the same document',
  restore: 'an interrupted run deleted this article, and another article now has its slug',
} as const

export type ConflictKind = keyof typeof CONFLICT_REASONS

/** Undefined for a reason of other words, such as those of the target. */
export function conflictKindOf(reason: string): ConflictKind | undefined {
  const kinds = Object.keys(CONFLICT_REASONS) as ConflictKind[]
  return kinds.find(
    (kind) => reason === CONFLICT_REASONS[kind] || reason.startsWith(`${CONFLICT_REASONS[kind]} "`),
  )
}
