/** `count` articles, or a share of the managed articles on the target (at least one). */
export type MaxDeletes =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'share'; readonly share: number }

/** Parses `12`, `'12'` or `'10%'`; undefined if it is neither a whole number nor a percentage. */
export function parseMaxDeletes(value: number | string): MaxDeletes | undefined {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(String(value))
  if (match === null) return undefined
  const number = Number(match[1])
  if (match[2] === '%') return { kind: 'share', share: number / 100 }
  return Number.isInteger(number) ? { kind: 'count', count: number } : undefined
}

export function isSameLimit(one: MaxDeletes, other: MaxDeletes): boolean {
  return one.kind === 'count'
    ? other.kind === 'count' && one.count === other.count
    : other.kind === 'share' && one.share === other.share
}

/** Returns the maximum number of the `ours` managed articles that one run may delete. */
export function allowedDeletes(limit: MaxDeletes, ours: number): number {
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.floor(limit.share * ours))
}
