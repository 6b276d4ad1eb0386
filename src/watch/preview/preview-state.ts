import { type ContentLayout, isPlacedAlike, layOut } from '../../content/category-tree/content-layout.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings } from '../../core/config/settings.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import { pairEqual } from '../../sync/plan/match-moves.ts'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'
import { type ContentIndex, indexContent } from './content-index.ts'
import type { WatchView } from '../reducer/watch-event.ts'
import { defaultSlugOf } from '../../content/preset/site-path.ts'

/** An article before and after a change; undefined if it did not exist, or no longer does. */
export interface ArticleChange {
  readonly source: string
  readonly before: LocalArticle | undefined
  readonly after: LocalArticle | undefined
}

/** The current state of a preview, indexed when a page needs it. */
export interface PreviewState {
  readonly settings: () => Settings
  /** Undefined until the first update. */
  readonly view: () => PreviewView | undefined
  /** Undefined until the files were read. */
  readonly index: () => ContentIndex | undefined
  /** Relative to the project. */
  readonly fileOf: (source: string) => string
  /** Problems of an article's file, then those of the snippets that it includes. */
  readonly diagnosticsOf: (source: string) => readonly Diagnostic[]
  /** The article that had this address earlier in this run. */
  readonly movedFrom: (place: PreviewAddress) => LocalArticle | undefined
  /** Source of a file with errors and without a version to show, by the slug that its path would give. */
  readonly unshownAt: (slug: string) => string | undefined
  /** The reverse; undefined if `source` has a version to show, or no errors. */
  readonly slugOfUnshown: (source: string) => string | undefined
  /**
   * @param touched sources with changes; undefined for any
   * @returns the changed articles
   */
  readonly update: (view: PreviewView, touched: readonly string[] | undefined) => readonly ArticleChange[]
  readonly reconfigure: (settings: Settings) => void
}

export function createPreviewState(initial: Settings): PreviewState {
  let settings = initial
  let view: PreviewView | undefined
  let index: ContentIndex | undefined
  let layout: ContentLayout | undefined
  let problems: ReadonlyMap<string, readonly Diagnostic[]> | undefined
  const shown = new Map<string, LocalArticle>()
  const moves = createMoves()
  const renames = createRenames()
  const languageOf = ({ language }: LocalArticle) => language ?? settings.defaultLanguage
  const placeOf = (article: LocalArticle) => ({ slug: article.slug, language: languageOf(article) })
  const getIndex = () => {
    if (view?.content === undefined) return undefined
    layout ??= layOut(view.content, settings.defaultLanguage)
    return (index ??= indexContent(view.content, layout, settings.defaultLanguage))
  }
  const slugOfUnshown = (source: string) =>
    view?.heldBack.has(source) === true && getIndex()?.bySource(source) === undefined
      ? defaultSlugOf(source, settings.render.frontmatter)
      : undefined
  const fileOf = (source: string) => `${contentPrefix(settings)}${source}`
  return {
    settings: () => settings,
    view: () => view,
    index: getIndex,
    fileOf,
    diagnosticsOf: (source) => {
      const byFile = (problems ??= groupBy(view?.diagnostics ?? [], ({ file }) => file))
      const snippets = view?.content?.includes.get(source)?.keys() ?? []
      return [source, ...snippets].flatMap((each) => byFile.get(fileOf(each)) ?? [])
    },
    movedFrom: (place) => {
      const source = moves.from(place)
      const content = getIndex()
      return source === undefined
        ? undefined
        : (content?.bySource(source) ?? content?.bySource(renames.latest(source)))
    },
    unshownAt: (slug) => [...(view?.heldBack ?? [])].find((source) => slugOfUnshown(source) === slug),
    slugOfUnshown,
    update: (next, touched) => {
      const taxonomy = view?.content?.taxonomy
      view = next
      index = undefined
      problems = undefined
      const changes = next.content === undefined ? [] : changesOf(shown, next.content, getIndex(), touched)
      const isLaidOut =
        touched !== undefined && taxonomy === next.content?.taxonomy && changes.every(staysInPlace)
      if (!isLaidOut) index = layout = undefined
      renames.note(changes)
      for (const { source, before, after } of changes) {
        if (before !== undefined) moves.note(placeOf(before), after && placeOf(after), source)
        if (after === undefined) shown.delete(source)
        else shown.set(source, after)
      }
      return changes
    },
    reconfigure: (next) => {
      settings = next
      index = layout = undefined
    },
  }
}

function changesOf(
  shown: ReadonlyMap<string, LocalArticle>,
  content: LoadedContent,
  index: ContentIndex | undefined,
  touched: readonly string[] | undefined,
): ArticleChange[] {
  // A link with a new target changes an article whose file was not touched. All other articles are compared by their
  // content.
  const sources = touched ?? new Set([...shown.keys(), ...content.articles.map(({ source }) => source)])
  return [...sources].flatMap((source) => {
    const before = shown.get(source)
    const after = index?.bySource(source)
    return before === after || (before && after && isSame(before, after)) ? [] : [{ source, before, after }]
  })
}

function staysInPlace({ before, after }: ArticleChange): boolean {
  return before !== undefined && after !== undefined && isPlacedAlike(before, after)
}

/** True if both look the same on pages, which do not show positions in the file and the digest of its bytes. */
function isSame(before: LocalArticle, after: LocalArticle): boolean {
  return fingerprintOf(before) === fingerprintOf(after)
}

function fingerprintOf(article: LocalArticle): string {
  return JSON.stringify({ ...article, positions: {}, sourceHash: '', inputKey: '' })
}

/** Remembers previous addresses of articles, so that an open page finds the new one when its slug changes. */
interface Moves {
  /** @param to undefined if the article was removed */
  readonly note: (from: PreviewAddress, to: PreviewAddress | undefined, source: string) => void
  /** Source of the article that had the address; language undefined: any. */
  readonly from: (place: PreviewAddress) => string | undefined
}

/** Number of remembered addresses; the oldest is dropped. */
const LIMIT = 1000

function createMoves(): Moves {
  const sources = new Map<string, string>()
  const keyOf = ({ slug, language }: PreviewAddress) => `${language ?? ''} ${slug}`
  return {
    note: (from, to, source) => {
      if (to !== undefined && keyOf(from) === keyOf(to)) return
      for (const key of [keyOf(from), keyOf({ ...from, language: undefined })]) {
        sources.delete(key)
        sources.set(key, source)
      }
      forgetOldest(sources)
    },
    from: (place) => sources.get(keyOf(place)),
  }
}

/** Remembers the new names of renamed files. A file may disappear some time before its new name appears. */
interface Renames {
  readonly note: (changes: readonly ArticleChange[]) => void
  /** Returns the current name of a file. */
  readonly latest: (source: string) => string
}

function createRenames(): Renames {
  const gone = new Map<string, LocalArticle>()
  const names = new Map<string, string>()
  return {
    note: (changes) => {
      for (const { source, before, after } of changes) {
        if (after === undefined && before !== undefined) gone.set(source, before)
        if (after !== undefined) {
          gone.delete(source)
          names.delete(source)
        }
      }
      forgetOldest(gone)
      // A renamed file may have had another text at first, such as one with an error.
      const changed = changes.flatMap(({ after }) => after ?? [])
      if (changed.length === 0 || gone.size === 0) return
      const entries = [...gone.values()].map((ours) => ({ ...ours, ours }))
      for (const [source, entry] of pairEqual({ articles: changed, entries })) {
        gone.delete(entry.source)
        names.set(entry.source, source)
      }
      forgetOldest(names)
    },
    latest: (source) => {
      let name = source
      for (let next = names.get(name); next !== undefined; next = names.get(name)) name = next
      return name
    },
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= LIMIT) break
    map.delete(oldest)
  }
}

/** The URL of the page of an article. */
export interface PreviewAddress {
  readonly slug: string
  /** Undefined if it is not given. */
  readonly language: string | undefined
}

/** The current content of a preview. */
export interface PreviewView extends WatchView {
  /** The broken links that the target knows; requested when a page shows them, and may fail. */
  readonly brokenLinks?: (() => Promise<readonly BrokenLink[]>) | undefined
}
