/** How an address is written, which decides what must be escaped in it. */
export type AddressForm =
  /** `[a](address)` */
  | 'bare'
  /** `[a](<address>)` */
  | 'angle'
  | 'double-quoted'
  | 'single-quoted'
  | 'unquoted'
  /** `<!-- include: address -->` */
  | 'comment'

/** A place in a Markdown text where the address of a file may stand. */
export interface LinkOccurrence {
  /** `definition`: of a reference, which may be used for links and images alike. */
  readonly kind: 'link' | 'image' | 'definition' | 'include'
  readonly form: AddressForm
  /** Whether it is one of several in a `srcset`, where white space and commas divide. */
  readonly isListed: boolean
  /** Offsets of the address in the text, without brackets or quotes. */
  readonly start: number
  readonly end: number
  readonly written: string
  /** `written` without escapes and character references; percent-encoding stays. */
  readonly url: string
}

/** An address to be written, escaped already, in the place of another. */
export interface Readdressed {
  readonly occurrence: Pick<LinkOccurrence, 'start' | 'end'>
  readonly written: string
}

/** Puts new addresses into a text; every other character stays. */
export function readdress(text: string, changes: readonly Readdressed[]): string {
  let result = ''
  let at = 0
  for (const { occurrence, written } of changes.toSorted((a, b) => a.occurrence.start - b.occurrence.start)) {
    result += text.slice(at, occurrence.start) + written
    at = occurrence.end
  }
  return result + text.slice(at)
}
