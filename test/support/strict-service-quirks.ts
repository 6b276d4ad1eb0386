/** What happens where a new article's slug is taken. */
export type DuplicateSlugs = 'allowed' | 'refused-409' | 'refused-200' | 'suffixed'

/** Between 0 and `upTo` requests of a list until it shows a change; drawn anew for every request. */
export interface UnsteadyLag {
  readonly upTo: number
  readonly seed: number
}

/** How many requests of a list it takes until the list shows a change. */
export type ListLag = number | UnsteadyLag

/** What the service does now and then, drawn by lot; each member says: to one request in so many. */
export interface Moods {
  readonly seed: number
  /** 429 or 503 with Retry-After; nothing is done. */
  readonly busy?: number
  /** Up to three answers of 500 in a row; about half of the requests are carried out all the same. */
  readonly broken?: number
  /** `success: false` with status 200; nothing is done. */
  readonly sullen?: number
  /** A redirect to a page for people; nothing is done. */
  readonly redirects?: number
  /** Up to three lists in a row have no entries. */
  readonly forgetful?: number
  /** The answer takes so long that nobody waits for it: the request is carried out. */
  readonly slow?: number
}

export interface ServiceHabits {
  readonly duplicateSlugs?: DuplicateSlugs
  /** A deleted article keeps its slug, as in a trash. */
  readonly keepsSlugs?: boolean
  readonly stripsComments?: boolean
  /** Quotes, entities, white space and the order of attributes come back another way. */
  readonly rewritesHtml?: boolean
  /** What it makes of an article before it stores it. */
  readonly alters?: (body: CreateBody) => CreateBody
  /** Members that the document lists are null or missing, all but the ids. */
  readonly isSparse?: boolean
  readonly numericIds?: boolean
  /** The review-dates list shows no article that is due later. */
  readonly listsUntil?: string
  /** Of the review-dates list. */
  readonly listLag?: ListLag
  /** Of the link-manager list. */
  readonly linkLag?: ListLag
  readonly articleLimit?: number
  /** What it says that the limit is; default: the limit. */
  readonly announcedLimit?: number
  /** What it can do beyond the document, and says so. */
  readonly extensions?: readonly ('update' | 'languages' | 'ids' | 'batch' | 'etag' | 'files')[]
  /** Enabled languages, the default first; default: en. */
  readonly languages?: readonly string[]
  /** Says why a create is refused, or undefined. */
  readonly refuses?: (body: CreateBody) => string | undefined
  /** Says why a file is refused, or undefined. */
  readonly refusesFile?: (name: string) => string | undefined
  /** Status of the answer to an unknown id; `success` is false in any case. */
  readonly unknownIdStatus?: 404 | 200
  /** In force from `annoy()` to `calm()`. */
  readonly moods?: Moods
}

export interface CreateBody {
  readonly title: string
  readonly slug: string
  readonly categories: readonly { readonly value: string }[]
  readonly tags?: readonly { readonly value: string }[]
  readonly excerpt: string
  readonly ordering: number
  readonly status: 'draft' | 'published'
  readonly content: string
  readonly hideFromSearch?: boolean
  readonly seoBannerUrl?: string
  readonly articleReviewDate?: string
  readonly lang?: string
  readonly languageParent?: string
}
