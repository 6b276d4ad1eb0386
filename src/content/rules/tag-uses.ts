import type { Document } from '../../core/model/document.ts'
import { type LocalTag, lookUp } from '../../core/model/taxonomy.ts'

/** A place in an article's frontmatter that names a tag. */
export interface TagUse {
  readonly document: Document
  /** In `document.tags`. */
  readonly index: number
}

/** Uses by tag, in the order of first use; what is not listed goes by what is written. */
export function collectTagUses(
  documents: readonly Document[],
  tags: readonly LocalTag[] | undefined,
): ReadonlyMap<string, readonly TagUse[]> {
  const uses = new Map<string, TagUse[]>()
  const nameOf = createNameOf(tags)
  for (const document of documents) {
    for (const [index, reference] of document.tags.entries()) {
      const name = nameOf(reference)
      const known = uses.get(name)
      if (known === undefined) uses.set(name, [{ document, index }])
      else known.push({ document, index })
    }
  }
  return uses
}

/** Answers are kept: thousands of articles name the same few tags. */
function createNameOf(tags: readonly LocalTag[] = []): (reference: string) => string {
  const names = new Map<string, string>()
  return (reference) => {
    const known = names.get(reference)
    if (known !== undefined) return known
    const found = lookUp(reference, tags)
    const name = found.kind === 'found' ? found.entry.name : reference.normalize('NFC')
    names.set(reference, name)
    return name
  }
}
