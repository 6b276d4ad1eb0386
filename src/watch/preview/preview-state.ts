import { type ContentLayout, isPlacedAlike, layOut } from '../../content/category-tree/content-layout.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings } from '../../core/config/settings.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'
import { type ContentIndex, indexContent } from './content-index.ts'
import type { WatchView } from '../reducer/watch-event.ts'
import { defaultSlugOf } from '../../content/preset/site-path.ts'

/** An article before and after a change; undefined where it was, or is, not there. */
export interface ArticleChange {
  readonly source: string
  readonly before: LocalArticle | undefined
  readonly after: LocalArticle | undefined
}

/** What a preview knows at this moment, indexed when a page asks. */
export interface PreviewState {
  readonly settings: () => Settings
  /** Undefined until something was told. */
  readonly view: () => PreviewView | undefined
  /** Undefined until the files were read. */
  readonly index: () => ContentIndex | undefined
  /** Relative to the project. */
  readonly fileOf: (source: string) => string
  /** Problems of an article's file, then those of the snippets that it includes. */
  readonly diagnosticsOf: (source: string) => readonly Diagnostic[]
  /** The article that lay at this place earlier in this run. */
  readonly movedFrom: (place: PreviewAddress) => LocalArticle | undefined
  /** Source of a file with errors that has no version to show, by what its path would give. */
  readonly unshownAt: (slug: string) => string | undefined
  /** The other way round; undefined where `source` has a version to show, or no errors. */
  readonly slugOfUnshown: (source: string) => string | undefined
  /** @param touched sources in which something changed; undefined for anything @returns what became of articles */
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
      return source === undefined ? undefined : getIndex()?.bySource(source)
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
  // A link that leads elsewhere changes an article whose own file was not touched: the rest is compared by what it holds.
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

/** Whether both look the same on pages: positions in the file and the digest of its bytes do not show. */
function isSame(before: LocalArticle, after: LocalArticle): boolean {
  return fingerprintOf(before) === fingerprintOf(after)
}

function fingerprintOf(article: LocalArticle): string {
  return JSON.stringify({ ...article, positions: {}, sourceHash: '', inputKey: '' })
}

/** Remembers where articles lay, so that a page that is open when its slug changes finds the way to the new one. */
interface Moves {
  /** @param to undefined where the article is gone */
  readonly note: (from: PreviewAddress, to: PreviewAddress | undefined, source: string) => void
  /** Source of the article that lay there; language undefined: any. */
  readonly from: (place: PreviewAddress) => string | undefined
}

/** Where so many moves are remembered, the oldest is forgotten. */
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
      for (const oldest of sources.keys()) {
        if (sources.size <= LIMIT) break
        sources.delete(oldest)
      }
    },
    from: (place) => sources.get(keyOf(place)),
  }
}

/** Where an article's page lies. */
export interface PreviewAddress {
  readonly slug: string
  /** Undefined where it is not said. */
  readonly language: string | undefined
}

/** What a preview shows, as it is at this moment. */
export interface PreviewView extends WatchView {
  /** What the target knows of links that do not work; asked when a page shows it, and may fail. */
  readonly brokenLinks?: (() => Promise<readonly BrokenLink[]>) | undefined
}
