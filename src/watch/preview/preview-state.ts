import { type ContentLayout, hasSamePlace, layOut } from '../../content/category-tree/content-layout.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings } from '../../core/config/settings.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTag } from '../../core/model/taxonomy.ts'
import type { TreeCategory } from '../../content/category-tree/category-tree.ts'
import type { ListedTag } from '../../content/category-tree/tag-list.ts'
import { contentPrefix } from '../../core/paths.ts'
import { pairEqual } from '../../sync/plan/match-moves.ts'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'
import { type ContentIndex, indexContent } from './content-index.ts'
import type { WatchView } from '../reducer/watch-event.ts'
import { defaultSlugOf } from '../../content/preset/site-path.ts'

/** An article before and after a change; undefined if it did not exist, or no longer exists. */
export interface ArticleChange {
  readonly source: string
  readonly before: LocalArticle | undefined
  readonly after: LocalArticle | undefined
}

/** The current state of a preview, indexed when a page needs it. */
export class PreviewState {
  #settings: Settings
  #view: PreviewView | undefined
  #index: ContentIndex | undefined
  #layout: ContentLayout | undefined
  #problems: ReadonlyMap<string, readonly Diagnostic[]> | undefined
  readonly #shown = new Map<string, LocalArticle>()
  readonly #moves = createMoves()
  readonly #renames = createRenames()
  readonly #taxonMoves = createTaxonMoves()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  settings(): Settings {
    return this.#settings
  }

  /** Undefined until the first update. */
  view(): PreviewView | undefined {
    return this.#view
  }

  /** Undefined until the files have been read. */
  index(): ContentIndex | undefined {
    if (this.#view?.content === undefined) return undefined
    const { defaultLanguage } = this.#settings
    this.#layout ??= layOut(this.#view.content, defaultLanguage)
    return (this.#index ??= indexContent(this.#view.content, this.#layout, defaultLanguage))
  }

  /** Returns the path relative to the project. */
  fileOf(source: string): string {
    return `${contentPrefix(this.#settings)}${source}`
  }

  /** Returns problems of an article's file, then those of the snippets that it includes. */
  diagnosticsOf(source: string): readonly Diagnostic[] {
    const byFile = (this.#problems ??= groupBy(this.#view?.diagnostics ?? [], ({ file }) => file))
    const snippets = this.#view?.content?.includes.get(source)?.keys() ?? []
    return [source, ...snippets].flatMap((each) => byFile.get(this.fileOf(each)) ?? [])
  }

  /** Returns the article that had this slug earlier in this run. */
  movedFrom(address: PreviewAddress): LocalArticle | undefined {
    const source = this.#moves.from(address)
    const content = this.index()
    if (source === undefined) return undefined
    return content?.bySource(source) ?? content?.bySource(this.#renames.latest(source))
  }

  /** Returns the category or tag that had a slug earlier in this run, in any language. */
  taxonMovedFrom(kind: 'category' | 'tag', slug: string): TreeCategory | ListedTag | undefined {
    const key = this.#taxonMoves.from(kind, slug)
    const layout = this.index()?.layout
    if (key === undefined) return undefined
    return kind === 'tag' ? layout?.tags.find(key) : layout?.tree.byId.get(key)
  }

  /** Returns the source of a file with errors and without a version to show, by the slug derived from its path. */
  unshownAt(slug: string): string | undefined {
    return [...(this.#view?.heldBack ?? [])].find((source) => this.slugOfUnshown(source) === slug)
  }

  /** Does the reverse; undefined if `source` has a version to show, or no errors. */
  slugOfUnshown(source: string): string | undefined {
    const isUnshown =
      this.#view?.heldBack.has(source) === true && this.index()?.bySource(source) === undefined
    return isUnshown ? defaultSlugOf(source, this.#settings.render.frontmatter) : undefined
  }

  /**
   * @param touched sources with changes; undefined for any
   * @returns the changed articles
   */
  update(view: PreviewView, touched: readonly string[] | undefined): readonly ArticleChange[] {
    const { content } = view
    const taxonomy = this.#view?.content?.taxonomy
    this.#view = view
    this.#index = undefined
    this.#problems = undefined
    const changes = content === undefined ? [] : changesOf(this.#shown, content, this.index(), touched)
    const isLaidOut = touched !== undefined && taxonomy === content?.taxonomy && changes.every(staysInPlace)
    if (!isLaidOut) this.#index = this.#layout = undefined
    this.#renames.note(changes)
    if (taxonomy !== undefined && content !== undefined && taxonomy !== content.taxonomy)
      this.#taxonMoves.note(taxonomy, content.taxonomy)
    for (const { source, before, after } of changes) {
      if (before !== undefined)
        this.#moves.note(this.#addressOf(before), after && this.#addressOf(after), source)
      if (after === undefined) this.#shown.delete(source)
      else this.#shown.set(source, after)
    }
    return changes
  }

  reconfigure(settings: Settings): void {
    this.#settings = settings
    this.#index = this.#layout = undefined
  }

  #addressOf({ slug, language }: LocalArticle): PreviewAddress {
    return { slug, language: language ?? this.#settings.defaultLanguage }
  }
}

function changesOf(
  shown: ReadonlyMap<string, LocalArticle>,
  content: LoadedContent,
  index: ContentIndex | undefined,
  touched: readonly string[] | undefined,
): ArticleChange[] {
  // A link with a new target changes an article whose file was not touched, so all other articles are compared by their
  // content.
  const sources = touched ?? new Set([...shown.keys(), ...content.articles.map(({ source }) => source)])
  return [...sources].flatMap((source) => {
    const before = shown.get(source)
    const after = index?.bySource(source)
    return before === after || (before && after && isSame(before, after)) ? [] : [{ source, before, after }]
  })
}

function staysInPlace({ before, after }: ArticleChange): boolean {
  return before !== undefined && after !== undefined && hasSamePlace(before, after)
}

/** True if both look the same on pages, which show neither positions in the file nor the digest of its bytes. */
function isSame(before: LocalArticle, after: LocalArticle): boolean {
  return fingerprintOf(before) === fingerprintOf(after)
}

function fingerprintOf(article: LocalArticle): string {
  return JSON.stringify({ ...article, positions: {}, sourceHash: '', inputKey: '' })
}

/** Maximum number of remembered slugs. The oldest is dropped first. */
const LIMIT = 1000

/** Remembers previous slugs of articles, so that an open page finds the new one when its slug changes. */
function createMoves() {
  const sources = new Map<string, string>()
  const keyOf = ({ slug, language }: PreviewAddress) => `${language ?? ''} ${slug}`
  return {
    /** @param to undefined if the article was removed */
    note: (from: PreviewAddress, to: PreviewAddress | undefined, source: string) => {
      if (to !== undefined && keyOf(from) === keyOf(to)) return
      for (const key of [keyOf(from), keyOf({ ...from, language: undefined })]) {
        sources.delete(key)
        sources.set(key, source)
      }
      forgetOldest(sources)
    },
    /** Returns the source of the article that had the slug; language undefined: any. */
    from: (place: PreviewAddress) => sources.get(keyOf(place)),
  }
}

/** Remembers the new names of renamed files. A file may disappear some time before its new name appears. */
function createRenames() {
  const gone = new Map<string, LocalArticle>()
  const names = new Map<string, string>()
  return {
    note: (changes: readonly ArticleChange[]) => {
      for (const { source, before, after } of changes) {
        if (after === undefined && before !== undefined) gone.set(source, before)
        if (after !== undefined) {
          gone.delete(source)
          names.delete(source)
        }
      }
      forgetOldest(gone)
      // The first version of a renamed file may have another text, such as one with an error.
      const changed = changes.flatMap(({ after }) => after ?? [])
      if (changed.length === 0 || gone.size === 0) return
      const entries = [...gone.values()].map((ours) => ({ ...ours, ours }))
      for (const [source, entry] of pairEqual(changed, entries)) {
        gone.delete(entry.source)
        names.set(entry.source, source)
      }
      forgetOldest(names)
    },
    /** Returns the current name of a file. */
    latest: (source: string) => {
      let name = source
      for (let next = names.get(name); next !== undefined; next = names.get(name)) name = next
      return name
    },
  }
}

/** Remembers previous slugs of categories and tags, by their identity: a path of names, or a name. */
function createTaxonMoves() {
  const keys = new Map<string, string>()
  const slugsIn = ({ slug, translations }: LocalTag) => [
    ...(slug === undefined ? [] : [slug]),
    ...Object.values(translations).map((texts) => texts.slug),
  ]
  const note = <Entry extends LocalTag>(
    kind: 'category' | 'tag',
    [before = [], after = []]: readonly (readonly Entry[] | undefined)[],
    keyOf: (entry: Entry) => string,
  ) => {
    const kept = new Map(after.map((entry) => [keyOf(entry), new Set(slugsIn(entry))]))
    for (const entry of before) {
      const key = keyOf(entry)
      const slugs = kept.get(key)
      for (const slug of slugsIn(entry)) if (slugs?.has(slug) === false) keys.set(`${kind} ${slug}`, key)
    }
    forgetOldest(keys)
  }
  return {
    note: (before: LoadedContent['taxonomy'], after: LoadedContent['taxonomy']) => {
      note('category', [before.categories, after.categories], ({ path }) => formatCategoryPath(path))
      note('tag', [before.tags, after.tags], ({ name }) => name)
    },
    from: (kind: 'category' | 'tag', slug: string) => keys.get(`${kind} ${slug}`),
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= LIMIT) break
    map.delete(oldest)
  }
}

/** The slug and language of an article, which determine its page. */
export interface PreviewAddress {
  readonly slug: string
  /** Undefined if the URL does not contain it. */
  readonly language: string | undefined
}

/** The current content of a preview. */
export interface PreviewView extends WatchView {
  /** Requests the broken links that the target reports, when a page shows them. May fail. */
  readonly brokenLinks?: (() => Promise<readonly BrokenLink[]>) | undefined
}
