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
  /** Digest of HTML with this projection, as it was sent or read: the same HTML need not be parsed. */
  readonly htmlHash?: string | undefined
  /** Id of the original if this is a translation. */
  readonly languageParent?: string | undefined
  /** When the target last saw our edit, in milliseconds since 1970; only if that was not its creation. */
  readonly editedMs?: number | undefined
}

/** One article of this project on the target, as known from the last run. */
export interface ArticleRecord extends RecordedArticle {
  readonly id: string
  /** Undefined if no run has seen its file. */
  readonly source: string | undefined
  /** Never sent by us: a run without state found it without a marker, and identical to what we would send. */
  readonly isClaimed?: boolean | undefined
  /** Never sent by us: it was pulled into its file and is unchanged. */
  readonly isPulled?: boolean | undefined
  /** It was edited there, has an open draft, or was left to another job: it must be read again. */
  readonly isUndecided?: boolean | undefined
  /** Its id was found by the title alone: it may belong to another article. */
  readonly isUnproven?: boolean | undefined
}

/** An article that was sent and has no known id: the target has not listed it yet. */
export interface AwaitedArticle extends RecordedArticle {
  readonly source: string
  /** When it was sent, in milliseconds since 1970. */
  readonly sentMs: number
  /** The target confirmed the creation. */
  readonly isAccepted?: boolean | undefined
}

/** An article that is not ours, remembered so that it is not read again. */
export interface ForeignRecord {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
  /** Its project, if it has a marker. */
  readonly project: string | undefined
  /** Id of the original if this is a translation. */
  readonly languageParent?: string | undefined
}

/** An article that was deleted to make room for its new version, with everything needed to restore it. */
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
  /** Proof that it was ours, as sent; undefined if it was not. */
  readonly ours:
    | Pick<ArticleRecord, 'fingerprint' | 'sourceHash' | 'fieldsHash' | 'projectionHash'>
    | undefined
}

/** The unfinished work of an interrupted run, from the journal. */
interface Unfinished {
  /** Number of writes that it had started. */
  readonly writes: number
  /** Articles that it sent without receiving an id. */
  readonly sent: readonly AwaitedArticle[]
  /** By id: the possible results of an update, latest first. */
  readonly updates: ReadonlyMap<string, readonly ArticleRecord[]>
  /** Ids of articles whose deletion it had started. */
  readonly deletedIds: ReadonlySet<string>
  /** Articles that were deleted and may have no new version. */
  readonly removed: readonly RemovedArticle[]
}

export const NOTHING_UNFINISHED: Unfinished = {
  writes: 0,
  sent: [],
  updates: new Map(),
  deletedIds: new Set(),
  removed: [],
}

/** The state of one target between runs. Disposable: without it, the target is read again. */
export interface TargetState {
  /** Whether it was read from a file: otherwise, the past is unknown. */
  readonly isKnown: boolean
  /** Whether the target accepts two articles with one slug; undefined until that was tried. */
  readonly duplicateSlugs: 'allowed' | 'refused' | undefined
  /** Whether the target keeps comments, and with them our markers; undefined until that was seen. */
  readonly keepsComments?: boolean | undefined
  /** Whether articles were gone after the target confirmed their deletion; undefined until that was checked. */
  readonly deletesAsStated?: boolean | undefined
  /** The extensions that the target announced last; undefined if it was never asked. */
  readonly extensions?: readonly string[] | undefined
  /** When that was, in milliseconds since 1970. */
  readonly extensionsAskedMs?: number | undefined
  /** Whether the target was told the file of each of the articles. */
  readonly areSourcesSent?: boolean | undefined
  readonly articles: readonly ArticleRecord[]
  readonly awaited: readonly AwaitedArticle[]
  readonly foreign: readonly ForeignRecord[]
  /** Ids of categories by the slug in `_categories.yml`, to find renamed or moved ones. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** Ids of tags by name or slug. */
  readonly tagIds: Readonly<Record<string, string>>
  /** Digest of what was last sent or found equal, by `category:PATH` and `tag:NAME`. */
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

/** Articles without a known file come first. */
export function sortedBySource(articles: readonly ArticleRecord[]): readonly ArticleRecord[] {
  return articles.toSorted(({ source: a = '' }, { source: b = '' }) => (a < b ? -1 : a > b ? 1 : 0))
}
