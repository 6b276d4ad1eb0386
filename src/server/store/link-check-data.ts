// The data of the link checker. Several links of a site may share a target (link-target.ts). Times are ISO 8601 in UTC.

/** What is known of a target that is due to be checked. */
export interface DueLink {
  readonly target: string
  readonly working: boolean
  /** Failed checks in a row. */
  readonly failures: number
  /** When it became due. */
  readonly dueDate: string
}

/** A place in the list of what is due: what comes after it is meant. */
export interface DuePlace {
  readonly target: string
  readonly dueDate: string
}

/** What a check found, for the one who holds the claim. */
export interface LinkCheckResult {
  readonly target: string
  /** The date that the claim set: a result that comes after its claim ran out must not overwrite a later one. */
  readonly claimedUntil: string
  readonly working: boolean
  readonly failures: number
  /** HTTP status; null where no answer came. */
  readonly status: number | null
  /** Why it failed or could not be checked, or ''. */
  readonly reason: string
  readonly checkedDate: string
  readonly nextCheckDate: string
}

/** What decides the target of a link. */
export interface StoredLink {
  readonly url: string
  readonly siteId: string
  /** Slug of the article that holds it. */
  readonly slug: string
}

/** Which links are checked: those with an id greater than `after`. */
export interface LinkPage {
  readonly after: string
  readonly limit: number
}

/** What a check of some of the links came to. */
export interface ListedTargets {
  /** Id of the last link that was checked; undefined where there was none. */
  readonly lastId: string | undefined
  /** Whether more links may follow. */
  readonly more: boolean
}

/**
 * The store of the link checker, which several processes can use on one database. Sites are separate: a target that two
 * of them have is due, claimed and recorded for each.
 */
export interface LinkCheckStore {
  /**
   * Sets the target of links to what `targetOf` returns ('' for none), and makes new targets due. Writes only what
   * differs.
   */
  listLinkTargets(page: LinkPage, now: string, targetOf: (link: StoredLink) => string): Promise<ListedTargets>
  /** Ids of the sites that have targets which are due. */
  sitesWithDueLinks(now: string): Promise<readonly string[]>
  /** Targets of a site that are due, the longest waiting first. */
  dueLinks(siteId: string, now: string, after: DuePlace, limit: number): Promise<readonly DueLink[]>
  /** The first date after `now` on which a target of any site will be due. */
  nextLinkCheckDate(now: string): Promise<string | undefined>
  /**
   * Claims the targets of a site that are still due, so that no other process checks them before `until`. A claim of a
   * dead process expires. Targets without links are deleted.
   *
   * @returns the claimed targets
   */
  claimLinks(
    siteId: string,
    targets: readonly string[],
    now: string,
    until: string,
  ): Promise<readonly string[]>
  /** Makes claimed targets due again: their check did not come to an end. */
  releaseLinks(siteId: string, targets: readonly string[], claimedUntil: string, now: string): Promise<void>
  recordLinkChecks(siteId: string, results: readonly LinkCheckResult[]): Promise<void>
  /** Whether a site has a published article with this slug in any of its languages. */
  hasPublishedArticle(siteId: string, slug: string): Promise<boolean>
}
