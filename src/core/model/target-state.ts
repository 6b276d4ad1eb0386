import type { ArticleFields } from './article-fields.ts'

interface RecordedArticle {
  /** Document key. */
  readonly key: string
  readonly slug: string
  readonly language: string | null
  readonly title: string
  readonly fingerprint: string
  readonly sourceHash: string
  readonly fieldsHash: string
  readonly projectionHash: string
  /** Id of the original where this is a translation. */
  readonly languageParent?: string | undefined
  /** When the target last saw it edited by us, in milliseconds since 1970; only where that was not its creation. */
  readonly editedMs?: number | undefined
}

/** What we know of one article of this project on the target since the last run. */
export interface ArticleRecord extends RecordedArticle {
  readonly id: string
  /** Undefined where no run has seen its file. */
  readonly source: string | undefined
  /** Never sent by us: a run without state found it without marker, and to the letter what we would send. */
  readonly isClaimed?: boolean | undefined
  /** Never sent by us: someone has pulled it into its file, which says the same. */
  readonly isPulled?: boolean | undefined
  /** It was edited there, or a draft of it is open, and no one has decided yet what becomes of that. */
  readonly isUndecided?: boolean | undefined
  /** Its title alone told the id: another article may have it. */
  readonly isUnproven?: boolean | undefined
}

/** An article that was sent, and whose id is not known: the target has not listed it yet. */
export interface AwaitedArticle extends RecordedArticle {
  readonly source: string
  /** When it was sent, in milliseconds since 1970. */
  readonly sentMs: number
  /** The target said that it created it. */
  readonly isAccepted?: boolean | undefined
}

/** An article that is not ours, remembered so that it need not be read again. */
export interface ForeignRecord {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
  /** Its project, where it carries a marker. */
  readonly project: string | undefined
  /** Id of the original where this is a translation. */
  readonly languageParent?: string | undefined
}

/** An article that was taken away to make room for its new version, with all that restores it. */
export interface RemovedArticle {
  readonly id: string
  /** Document key. */
  readonly key: string
  readonly source: string
  readonly fields: ArticleFields
  /** HTML. */
  readonly content: string
  readonly language: string | null
  readonly languageParent: string | undefined
  /** What proves it ours, as it was sent; undefined where it was not. */
  readonly ours:
    | Pick<ArticleRecord, 'fingerprint' | 'sourceHash' | 'fieldsHash' | 'projectionHash'>
    | undefined
}

/** What a run that was cut off has left open; from the journal. */
interface Unfinished {
  /** How many writes it had begun. */
  readonly writes: number
  /** What it sent without learning an id. */
  readonly sent: readonly AwaitedArticle[]
  /** By id: what an article may have become by a change in place, latest first. */
  readonly updates: ReadonlyMap<string, readonly ArticleRecord[]>
  /** Ids of articles that it was deleting. */
  readonly deletedIds: ReadonlySet<string>
  /** Articles that had to make room and may have no new version. */
  readonly removed: readonly RemovedArticle[]
}

export const NOTHING_UNFINISHED: Unfinished = {
  writes: 0,
  sent: [],
  updates: new Map(),
  deletedIds: new Set(),
  removed: [],
}

/** All that is kept between runs about one target. Disposable: without it, the target is read again. */
export interface TargetState {
  /** Whether this came from a file: without one, nothing is known of the past. */
  readonly isKnown: boolean
  /** Whether the target takes two articles with one slug; undefined until it was tried. */
  readonly duplicateSlugs: 'allowed' | 'refused' | undefined
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  readonly keepsComments?: boolean | undefined
  /** Whether what the target said that it deleted was gone; undefined until that was checked. */
  readonly deletesAsStated?: boolean | undefined
  /** The extensions that the target announced when it was last asked; undefined where it never was. */
  readonly extensions?: readonly string[] | undefined
  /** When that was, in milliseconds since 1970. */
  readonly extensionsAskedMs?: number | undefined
  readonly articles: readonly ArticleRecord[]
  readonly awaited: readonly AwaitedArticle[]
  readonly foreign: readonly ForeignRecord[]
  /** Ids of categories by the slug in `_categories.yml`: how one is found again when it is renamed or moved. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** Ids of tags by name or slug. */
  readonly tagIds: Readonly<Record<string, string>>
  /** Digest of what was last sent or seen equal, by `category:PATH` and `tag:NAME`. */
  readonly taxonomy: Readonly<Record<string, string>>
  readonly unfinished: Unfinished
}

export const EMPTY_STATE: TargetState = {
  isKnown: false,
  duplicateSlugs: undefined,
  articles: [],
  awaited: [],
  foreign: [],
  categoryIds: {},
  tagIds: {},
  taxonomy: {},
  unfinished: NOTHING_UNFINISHED,
}

/** Those without a known file come first. */
export function sortedBySource(articles: readonly ArticleRecord[]): readonly ArticleRecord[] {
  return articles.toSorted(({ source: a = '' }, { source: b = '' }) => (a < b ? -1 : a > b ? 1 : 0))
}
