import { appendAll } from '../../../core/append-all.ts'
import type { Settings } from '../../../core/config/settings.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { contentPrefix } from '../../../core/paths.ts'
import type { LinkPlace } from '../../../web/report/report.ts'
import { addressKey, keyWithoutFragment } from '../addresses.ts'
import type { ReportContent } from '../open-report-content.ts'
import type { KnownFile } from './join.ts'

/** Positions in the texts of articles. */
export type PlaceFinder = ReturnType<typeof createPlaceFinder>

/** Positions by `addressKey`. */
type Places = Map<string, LinkPlace[]>

const NOWHERE: readonly LinkPlace[] = []

/** Number of lists above which they are filled, to limit memory. */
const MOST_EMPTY = 50_000

/**
 * Reads each text once, folder by folder, because a target lists the links of an article apart, and URLs of a folder
 * are resolved together. A URL that is listed without a fragment may have one in the text: some targets remove it.
 */
export function createPlaceFinder(
  { findAddresses }: Pick<ReportContent, 'findAddresses'>,
  settings: Pick<Settings, 'root' | 'contentRoot'>,
) {
  const prefix = contentPrefix(settings)
  const empty = new Map<LocalArticle, Places>()
  let count = 0

  const fill = () => {
    const articles = [...empty].toSorted(([a], [b]) => compareTexts(a.source, b.source))
    for (const [article, lists] of articles) fillLists(article, lists)
    empty.clear()
    count = 0
  }

  const fillLists = (article: LocalArticle, lists: Places) => {
    const wanted = new Set(Array.from(lists.keys(), addressKey))
    const exact: Places = new Map()
    const shortened: Places = new Map()
    const isWanted = (url: string) => {
      const key = addressKey(url)
      return wanted.has(key) || wanted.has(keyWithoutFragment(key))
    }
    const found = findAddresses(article, isWanted)
    for (const { url, source = article.source, line, column, end, definition } of found) {
      // The URL of a reference is fixed in its definition, once for all its uses.
      const place = { file: `${prefix}${source}`, ...(definition ?? { line, column, ...(end && { end }) }) }
      const key = addressKey(url)
      add(exact, key, place)
      add(shortened, keyWithoutFragment(key), place)
    }
    const compare = byPlace(`${prefix}${article.source}`)
    for (const [url, places] of lists) {
      const key = addressKey(url)
      appendAll(places, (exact.get(key) ?? shortened.get(key) ?? NOWHERE).toSorted(compare))
    }
  }

  return {
    /** Returns the positions of a listed URL in the text of an article: a list that is empty until `fill` is called. */
    find: (file: KnownFile | undefined, url: string) => {
      if (file?.document === undefined) return NOWHERE
      const lists = empty.get(file.document) ?? new Map<string, LinkPlace[]>()
      empty.set(file.document, lists)
      const before = lists.get(url)
      if (before !== undefined) return before
      const places: LinkPlace[] = []
      lists.set(url, places)
      if (++count >= MOST_EMPTY) fill()
      return places
    },
    fill,
  }
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
