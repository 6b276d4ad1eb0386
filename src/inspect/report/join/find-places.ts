import { join } from 'node:path'
import type { Settings } from '../../../core/config/settings.ts'
import { readSource } from '../../../content/source/read-source.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { contentPrefix } from '../../../sync/content-project.ts'
import type { LinkPlace } from '../../../web/report/report.ts'
import { addressKey, keyWithoutFragment } from '../addresses.ts'
import type { ReportContent } from '../open-report-content.ts'
import type { KnownFile } from './join.ts'
import type { Span } from '../../../core/model/diagnostic.ts'
import { splitFrontmatter } from '../../../content/frontmatter/split-frontmatter.ts'
import type { LinkOccurrence } from '../../../content/link-occurrences/link-occurrence.ts'
import { listLinkOccurrences } from '../../../content/link-occurrences/list-link-occurrences.ts'

/** Finds the positions of a listed URL in the text of an article. */
export type FindPlaces = (file: KnownFile | undefined, url: string) => readonly LinkPlace[]

type Content = Pick<ReportContent, 'readAddresses' | 'includedBy'>

/** Positions by `addressKey`. */
type Places = Map<string, LinkPlace[]>

const NOWHERE: readonly LinkPlace[] = []

/** Number of articles whose positions are cached. The links of an article are usually listed together. */
const MOST_KNOWN = 500

/**
 * Caches the result for an article, because its links are listed one by one. A URL that is listed without a fragment
 * may have one in the text, because some targets remove it.
 */
export function createFindPlaces(
  content: Content,
  settings: Pick<Settings, 'root' | 'contentRoot'>,
): FindPlaces {
  const known = new Map<string, KnownPlaces>()
  return (file, url) => {
    if (file?.document === undefined) return NOWHERE
    const places = known.get(file.source) ?? knownPlaces(file.document, content, settings)
    if (known.size >= MOST_KNOWN && !known.has(file.source)) known.clear()
    known.set(file.source, places)
    const key = addressKey(url)
    return places.exact(key) ?? places.withoutFragment(key) ?? NOWHERE
  }
}

/** The positions of a URL, sorted; undefined if there are none. */
interface KnownPlaces {
  /** @param key see `addressKey` */
  readonly exact: (key: string) => readonly LinkPlace[] | undefined
  /** @param key see `keyWithoutFragment` */
  readonly withoutFragment: (key: string) => readonly LinkPlace[] | undefined
}

function knownPlaces(
  document: LocalArticle,
  content: Content,
  settings: Pick<Settings, 'root' | 'contentRoot'>,
): KnownPlaces {
  const exact = placesOf(document, content, settings)
  const compare = byPlace(`${contentPrefix(settings)}${document.source}`)
  let shortened: Places | undefined
  return {
    exact: (key) => exact.get(key)?.toSorted(compare),
    withoutFragment: (key) => (shortened ??= withoutFragments(exact)).get(key)?.toSorted(compare),
  }
}

function withoutFragments(exact: Places): Places {
  const shortened: Places = new Map()
  for (const [key, places] of exact)
    for (const place of places) add(shortened, keyWithoutFragment(key), place)
  return shortened
}

function placesOf(
  document: LocalArticle,
  { readAddresses, includedBy }: Content,
  settings: Pick<Settings, 'root' | 'contentRoot'>,
): Places {
  const prefix = contentPrefix(settings)
  const places: Places = new Map()
  /** The URLs that are sent for relative links, by the key of the written link. */
  const sentKeys = new Map<string, string>()
  for (const { url, written, line, column, end, source = document.source } of readAddresses(document)) {
    const key = addressKey(url)
    if (written !== undefined) sentKeys.set(addressKey(written), key)
    add(places, key, { file: `${prefix}${source}`, line, column, ...(end && { end }) })
  }
  for (const source of [document.source, ...includedBy(document)])
    addWritten(places, sentKeys, join(settings.contentRoot, source), `${prefix}${source}`)
  return places
}

const DEFINITION = /^[ \t>*+-]*\[[^\]]+\]:/m
const OTHER_SCHEME = /\b(?:mailto|tel|sms|ftp):/i

/** True if URLs are in definitions, or have other schemes. Most files have neither, and need not be parsed. */
function isWrittenApart(text: string): boolean {
  // The first expression reads every line.
  return (text.includes(']:') && DEFINITION.test(text)) || OTHER_SCHEME.test(text)
}

/** Adds positions that a rendered article lacks. A URL in a definition is fixed there. */
function addWritten(places: Places, sentKeys: ReadonlyMap<string, string>, path: string, file: string): void {
  const read = readSource(path)
  if (read.kind === 'problem' || !isWrittenApart(read.text)) return
  const lines = read.text.split(/\r\n|\n|\r/)
  const isReference = (place: LinkPlace) =>
    place.file === file && /^!?\[/.test((lines[place.line - 1] ?? '').slice(place.column - 1))
  for (const { kind, url, ...span } of locateAddresses(read.text)) {
    const written = addressKey(url)
    const key = sentKeys.get(written) ?? written
    const isOther = !places.has(key)
    if (kind !== 'definition' && !isOther && !isUnrendered(url)) continue
    const uses = places.get(key) ?? []
    places.set(key, kind === 'definition' ? uses.filter((place) => !isReference(place)) : uses)
    add(places, key, { file, ...span })
  }
}

/** True for URLs that a check does not cover. All their positions come from the text. */
function isUnrendered(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(url) && !/^https?:/i.test(url)
}

/** Adds a position once, even if its snippet is included twice. */
function add(places: Places, key: string, place: LinkPlace): void {
  const known = places.get(key) ?? []
  const isThere = known.some(
    ({ file, line, column }) => file === place.file && line === place.line && column === place.column,
  )
  if (!isThere) known.push(place)
  places.set(key, known)
}

/** Sorts the article's own text first, then by file and line. */
function byPlace(own: string): (a: LinkPlace, b: LinkPlace) => number {
  const rank = ({ file }: LinkPlace) => (file === own ? 0 : 1)
  return (a, b) => rank(a) - rank(b) || compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column
}

/** A URL with its position in a file. */
interface LocatedAddress extends Span, Pick<LinkOccurrence, 'kind' | 'url'> {}

/** Finds all URLs of `listLinkOccurrences` in a file (without byte order mark), with the file's lines and columns. */
function locateAddresses(text: string): readonly LocatedAddress[] {
  const split = splitFrontmatter(text)
  // Snippets have no frontmatter.
  const body = split.kind === 'split' ? split.body : text
  const lineOffset = split.kind === 'split' ? split.lineOffset : 0
  const positionOf = createPositionOf(body, lineOffset)
  return listLinkOccurrences(body).map(({ kind, url, start, end }) => ({
    kind,
    url,
    ...positionOf(start),
    end: positionOf(end),
  }))
}

function createPositionOf(text: string, lineOffset: number) {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((ending) => ending.index + ending[0].length)]
  return (offset: number) => {
    const index = starts.findLastIndex((start) => start <= offset)
    return { line: index + 1 + lineOffset, column: offset - (starts[index] ?? 0) + 1 }
  }
}
