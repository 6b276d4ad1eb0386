/** Why an article is in conflict, in the order of how often it happens: the command line says of each what to do. */
export const CONFLICT_REASONS = {
  edited: 'it was edited on the target',
  orphanEdited: 'no file wants it, but it was edited on the target',
  draft: 'a draft of it is open on the target',
  orphanDraft: 'no file wants it, but a draft of it is open on the target',
  foreign: 'the slug belongs to an article that kb-sync did not create',
  /** The name of the project follows. */
  otherProject: 'the slug belongs to an article of the project',
  original: 'a translation names it as its original, and would lose it',
  held: 'the slug is still held by another article of ours, which cannot be sent now',
  copy: 'the slug belongs to a copy of an article of ours',
  shared: 'another article is at the same slug',
  double: 'a second article of the same document is on the target',
  earlier: 'an earlier version of the same document is on the target',
  putBack: 'a run was cut off after it took this article away, and its slug belongs to another one now',
} as const

export type ConflictKind = keyof typeof CONFLICT_REASONS

/** Undefined for a reason of other words, such as those of the target. */
export function conflictKindOf(reason: string): ConflictKind | undefined {
  const kinds = Object.keys(CONFLICT_REASONS) as ConflictKind[]
  return kinds.find(
    (kind) => reason === CONFLICT_REASONS[kind] || reason.startsWith(`${CONFLICT_REASONS[kind]} "`),
  )
}
