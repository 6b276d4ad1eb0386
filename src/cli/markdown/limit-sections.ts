import { pluralize } from '../../core/pluralize.ts'

/** A part of a document that may be cut between its items. All texts end in a line feed. */
export interface Section {
  /** Stands before the first item; left out where there is none. */
  readonly head: string
  readonly items: readonly string[]
  /** One item, for the note about those that are left out. */
  readonly noun: string
  /** Several; by default the noun with an `s`. */
  readonly plural?: string | undefined
}

/** Room for the note of each section that is cut. */
const NOTE_BYTES = 200

/**
 * A document of at most `limitBytes`: what comes first is kept, and each section that is cut says how many of its items
 * are missing. An item that is too long for what is left is skipped, and those behind it may still fit.
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
