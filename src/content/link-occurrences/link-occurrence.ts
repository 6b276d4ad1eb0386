import { QuoteType, Tokenizer } from 'htmlparser2'
import { decodeAttribute } from './decode-written-url.ts'

type AddressForm =
  /** `[a](address)` */
  | 'bare'
  /** `[a](<address>)` */
  | 'angle'
  | 'double-quoted'
  | 'single-quoted'
  | 'unquoted'
  /** `<!-- include: address -->` */
  | 'comment'

/** A position in a Markdown text that may contain the URL of a file. */
export interface LinkOccurrence {
  /** `definition`: of a reference, which links and images can use. */
  readonly kind: 'link' | 'image' | 'definition' | 'include'
  readonly form: AddressForm
  /** True for a URL in a `srcset`, where white space and commas are separators. */
  readonly isListed: boolean
  /** Offsets of the URL in the text, without brackets or quotes. */
  readonly start: number
  readonly end: number
  readonly written: string
  /** `written` with escapes and character references resolved, but still percent-encoded. */
  readonly url: string
}

/** A replacement for a URL, already escaped. */
export interface Readdressed {
  readonly occurrence: Pick<LinkOccurrence, 'start' | 'end'>
  readonly written: string
}

/** Replaces URLs in a text and leaves every other character unchanged. */
export function readdress(text: string, changes: readonly Readdressed[]): string {
  let result = ''
  let at = 0
  for (const { occurrence, written } of changes.toSorted((a, b) => a.occurrence.start - b.occurrence.start)) {
    result += text.slice(at, occurrence.start) + written
    at = occurrence.end
  }
  return result + text.slice(at)
}

const FORMS: Readonly<Record<number, AddressForm>> = {
  [QuoteType.Unquoted]: 'unquoted',
  [QuoteType.Single]: 'single-quoted',
  [QuoteType.Double]: 'double-quoted',
}

/** Attributes that may name files of the project, by tag. `srcset` counts for every tag. */
const ADDRESSES: Readonly<Record<string, Readonly<Record<string, 'link' | 'image'>>>> = {
  a: { href: 'link' },
  audio: { src: 'image' },
  img: { src: 'image' },
  source: { src: 'image' },
  track: { src: 'image' },
  video: { src: 'image', poster: 'image' },
}

/** Returns the URLs in raw HTML, with offsets from its start. Ignores comments, scripts and text areas. */
export function listHtmlOccurrences(html: string): LinkOccurrence[] {
  const occurrences: LinkOccurrence[] = []
  let tag = ''
  let attribute = ''
  let start: number | undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...IGNORED,
      onopentagname: (from, to) => (tag = html.slice(from, to).toLowerCase()),
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase()
        start = undefined
      },
      onattribdata: (from) => (start ??= from),
      onattribend: (quote, end) => {
        const form = FORMS[quote]
        if (form === undefined || start === undefined) return
        const to = form === 'unquoted' ? end : end - 1
        occurrences.push(...placesOf({ tag, attribute, form, start, written: html.slice(start, to) }))
      },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return occurrences
}

const IGNORED = {
  onattribentity: () => undefined,
  oncdata: () => undefined,
  oncomment: () => undefined,
  onclosetag: () => undefined,
  ondeclaration: () => undefined,
  onend: () => undefined,
  onopentagend: () => undefined,
  onprocessinginstruction: () => undefined,
  onselfclosingtag: () => undefined,
  ontext: () => undefined,
  ontextentity: () => undefined,
}

interface Attribute {
  readonly tag: string
  readonly attribute: string
  readonly form: AddressForm
  readonly start: number
  readonly written: string
}

function placesOf({ tag, attribute, form, start, written }: Attribute): LinkOccurrence[] {
  if (attribute === 'srcset') {
    return srcsetAddresses(written).map(({ at, address }) =>
      occurrenceAt('image', form, start + at, address, true),
    )
  }
  const kind = ADDRESSES[tag]?.[attribute]
  if (kind === undefined) return []
  // White space around a URL is not part of it.
  const lead = /^\s*/.exec(written)?.[0].length ?? 0
  const address = written.trim()
  return address === '' ? [] : [occurrenceAt(kind, form, start + lead, address, false)]
}

function occurrenceAt(
  kind: LinkOccurrence['kind'],
  form: AddressForm,
  start: number,
  written: string,
  isListed: boolean,
): LinkOccurrence {
  const url = decodeAttribute(written)
  return { kind, form, isListed, start, end: start + written.length, written, url }
}

// As in `mapSrcset`: a URL without white space that neither starts nor ends with a comma.
const CANDIDATE = /([^\s,]\S*[^\s,]|[^\s,])(\s+[^,]*)?(?=,|\s*$)/g

/** Returns the URLs in a `srcset`, with their offsets. */
function srcsetAddresses(srcset: string): { readonly at: number; readonly address: string }[] {
  return [...srcset.matchAll(CANDIDATE)].map(({ index, 1: address = '' }) => ({ at: index, address }))
}
