/** An index of the ids of one document, in which links find theirs. */
export interface AnchorIndex {
  /** The id that `fragment` (as written after `#`) points at, or undefined. */
  find(fragment: string): string | undefined
}

/**
 * Finds ids as GitHub does: by the letter, percent-decoded, and then without regard to letter case and to how accents
 * are encoded.
 */
export function createAnchorIndex(anchors: readonly string[]): AnchorIndex {
  const exact = new Set(anchors)
  const folded = new Map<string, string>()
  for (const anchor of anchors) {
    const key = fold(anchor)
    if (!folded.has(key)) folded.set(key, anchor)
  }
  return {
    find(fragment) {
      if (exact.has(fragment)) return fragment
      const decoded = decodeFragment(fragment)
      return exact.has(decoded) ? decoded : folded.get(fold(decoded))
    },
  }
}

/** `fragment` percent-decoded, or as it is where it is not well-formed. */
export function decodeFragment(fragment: string): string {
  if (!fragment.includes('%')) return fragment
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** What to write after `#` so that every browser finds `anchor`. */
export function encodeAnchor(anchor: string): string {
  return encodeURI(anchor.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('#', '%23')
}

function fold(anchor: string): string {
  return anchor.normalize('NFC').toLowerCase()
}
