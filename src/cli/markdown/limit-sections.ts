import { pluralize } from '../../core/pluralize.ts'

/** A part of a document that may be cut between its items. All texts end with a line feed. */
export interface Section {
  /** Text before the first item; omitted if there are no items. */
  readonly head: string
  readonly items: readonly string[]
  /** Singular of an item, for the note about omitted ones. */
  readonly noun: string
  /** Plural. Default: the noun with an `s`. */
  readonly plural?: string | undefined
}

/** Space for the note of each section that is cut. */
const NOTE_BYTES = 200

/**
 * Returns a document of at most `limitBytes`, cut from the end. Each section that is cut shows the number of omitted
 * items. An item that is too long is skipped, and later ones may still fit.
 */
export function limitSections(intro: string, sections: readonly Section[], limitBytes: number): string {
  const parts = [intro]
  let left = limitBytes - Buffer.byteLength(intro) - sections.length * NOTE_BYTES
  for (const { head, items, noun, plural } of sections) {
    if (items.length === 0) continue
    const kept: string[] = []
    left -= Buffer.byteLength(head) + 1
    for (const item of items) {
      const size = Buffer.byteLength(item)
      if (size > left) continue
      left -= size
      kept.push(item)
    }
    const missing = items.length - kept.length
    if (kept.length > 0) parts.push(`${head}${kept.join('')}`)
    if (missing > 0) parts.push(`*Left out to limit the size: ${pluralize(missing, noun, plural)}.*\n`)
  }
  return parts.join('\n')
}
