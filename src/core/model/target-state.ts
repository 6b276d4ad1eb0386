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
  /** Digest of HTML with this projection, as sent or read. Equal HTML need not be parsed again. */
  readonly htmlHash?: string | undefined
  /** Id of the original if this is a translation. */
  readonly languageParent?: string | undefined
  /** When the target last recorded an edit by us, in milliseconds since 1970; not set for a creation. */
  readonly editedMs?: number | undefined
}

/** A managed article on the target, as known from the last run. */
export interface ArticleRecord extends RecordedArticle {
  readonly id: string
  /** Undefined if no run has seen its file. */
  readonly source: string | undefined
  /** True if we never sent the article: a run without state found it without a marker and identical to a document. */
  readonly isClaimed?: boolean | undefined
  /** True if the article was not sent by us but pulled into its file, and is unchanged. */
  readonly isPulled?: boolean | undefined
  /** True if the article must be read again: edited on the target, with an open draft, or left to another job. */
  readonly isUndecided?: boolean | undefined
  /** True if the id was found by title alone, so it may belong to another article. */
  readonly isUnproven?: boolean | undefined
}

/** An article that was sent and whose id is unknown, because the target has not listed it yet. */
export interface AwaitedArticle extends RecordedArticle {
  readonly source: string
  /** When it was sent, in milliseconds since 1970. */
  readonly sentMs: number
  /** True if the target confirmed the creation. */
  readonly isAccepted?: boolean | undefined
}

/** A foreign article, remembered so that it is not read again. */
export interface ForeignRecord {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
  /** Project in its marker, if it has one. */
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
  /** Proof that the article was managed, as sent; undefined if it was not. */
  readonly ours:
    | Pick<ArticleRecord, 'fingerprint' | 'sourceHash' | 'fieldsHash' | 'projectionHash'>
    | undefined
}

/** The unfinished work of an interrupted run, from the journal. */
interface Unfinished {
  /** Number of writes that were started. */
  readonly writes: number
  /** Articles that were sent without receiving an id. */
  readonly sent: readonly AwaitedArticle[]
  /** By id: the possible results of an update, latest first. */
  readonly updates: ReadonlyMap<string, readonly ArticleRecord[]>
  /** Ids of articles whose deletion was started. */
  readonly deletedIds: ReadonlySet<string>
  /** Deleted articles that may have no new version. */
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
  /** True if the state was read from a file; otherwise the past is unknown. */
  readonly isKnown: boolean
  /** Whether the target accepts two articles with one slug; undefined until that was tried. */
  readonly duplicateSlugs: 'allowed' | 'refused' | undefined
  /** False if a deleted article keeps its slug, so that no other one can have it; undefined until that was seen. */
  readonly freesSlugs?: boolean | undefined
  /** True if the target keeps comments, and thus our markers; undefined until that was seen. */
  readonly keepsComments?: boolean | undefined
  /** True if articles were gone after the target confirmed their deletion; undefined until that was checked. */
  readonly deletesAsStated?: boolean | undefined
  /** The extensions that the target last announced; undefined if it was never asked. */
  readonly extensions?: readonly string[] | undefined
  /** When they were announced, in milliseconds since 1970. */
  readonly extensionsAskedMs?: number | undefined
  /** The languages that the target last listed as enabled. */
  readonly languages?: readonly string[] | undefined
  /** True if the target has received the source of each article. */
  readonly areSourcesSent?: boolean | undefined
  readonly articles: readonly ArticleRecord[]
  readonly awaited: readonly AwaitedArticle[]
  readonly foreign: readonly ForeignRecord[]
  /** Ids of categories by the slug in `_categories.yml`, to find renamed or moved ones. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** Ids of tags by name or slug. */
  readonly tagIds: Readonly<Record<string, string>>
  /** Digest of the entry as last sent or found equal, by `category:PATH` and `tag:NAME`. */
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

/** Sorts articles by source. Those without a known file come first. */
export function sortedBySource(articles: readonly ArticleRecord[]): readonly ArticleRecord[] {
  return articles.toSorted(({ source: a = '' }, { source: b = '' }) => (a < b ? -1 : a > b ? 1 : 0))
}
