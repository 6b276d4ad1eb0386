import type { Settings } from '../../../core/config/settings.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { contentPrefix } from '../../../sync/content-project.ts'
import type { LinkPlace } from '../../../web/report/report.ts'
import { addressKey, keyWithoutFragment } from '../addresses.ts'
import type { ReportContent } from '../open-report-content.ts'
import type { KnownFile } from './join.ts'

/** Finds the positions of a listed URL in the text of an article. */
export type FindPlaces = (file: KnownFile | undefined, url: string) => readonly LinkPlace[]

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
  { readAddresses }: Pick<ReportContent, 'readAddresses'>,
  settings: Pick<Settings, 'root' | 'contentRoot'>,
): FindPlaces {
  const prefix = contentPrefix(settings)
  const known = new Map<string, KnownPlaces>()
  return (file, url) => {
    if (file?.document === undefined) return NOWHERE
    const places = known.get(file.source) ?? knownPlaces(file.document, readAddresses, prefix)
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
  readAddresses: ReportContent['readAddresses'],
  prefix: string,
): KnownPlaces {
  const exact: Places = new Map()
  for (const { url, source = document.source, line, column, end, definition } of readAddresses(document)) {
    // The URL of a reference is fixed in its definition, once for all its uses.
    const span = definition ?? { line, column, ...(end && { end }) }
    add(exact, addressKey(url), { file: `${prefix}${source}`, ...span })
  }
  const compare = byPlace(`${prefix}${document.source}`)
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
