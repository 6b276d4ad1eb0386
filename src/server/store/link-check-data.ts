// The data of the link checker. Several links of a site may share a target (link-target.ts). Times are ISO 8601 in UTC.

/** A target that is due for a check. */
export interface DueLink {
  readonly target: string
  readonly working: boolean
  /** Number of failed checks in a row. */
  readonly failures: number
  /** Time when it became due. */
  readonly dueDate: string
}

/** A position in the list of due targets. Reading continues after it. */
export interface DuePlace {
  readonly target: string
  readonly dueDate: string
}

/** The result of a check, from the holder of the claim. */
export interface LinkCheckResult {
  readonly target: string
  /** The date set by the claim. A result after its claim has expired must not overwrite a later one. */
  readonly claimedUntil: string
  readonly working: boolean
  readonly failures: number
  /** HTTP status; null without a response. */
  readonly status: number | null
  /** The reason why it failed or could not be checked, or ''. */
  readonly reason: string
  readonly checkedDate: string
  readonly nextCheckDate: string
}

/** A page of the links of a site, or of all: those with a number greater than `after`, 0 for the start. */
export interface LinkPage {
  readonly after: number
  readonly limit: number
}

/** The data that determines the target of a link. */
export interface StoredLink {
  readonly url: string
  readonly siteId: string
  /** Slug of its article. */
  readonly slug: string
}

/**
 * The store of the link checker, which several processes can use on one database. Sites are separate: a target that two
 * of them have is due, claimed and recorded for each.
 */
export interface LinkCheckStore {
  /**
   * Sets the targets of a page of links to what `targetOf` returns ('' for none). Writes only what differs.
   *
   * @returns the number after which the next page starts; undefined after the last page
   */
  retargetLinks(page: LinkPage, targetOf: (link: StoredLink) => string): Promise<number | undefined>
  /** Schedules at most `limit` unscheduled targets. @returns true if there may be more */
  scheduleTargets(now: string, limit: number): Promise<boolean>
  /** Ids of the sites with due targets. */
  sitesWithDueLinks(now: string): Promise<readonly string[]>
  /** Returns due targets of a site, the longest waiting first. */
  dueLinks(siteId: string, now: string, after: DuePlace, limit: number): Promise<readonly DueLink[]>
  /** Returns the first date after `now` when a target of any site will be due. */
  nextLinkCheckDate(now: string): Promise<string | undefined>
  /**
   * Claims the targets of a site that are still due, with their hosts, so that no other process checks them or requests
   * these hosts before `until`. The claim of a dead process expires. Deletes targets without links.
   *
   * @returns the claimed targets, without those whose host is not free
   */
  claimLinks(
    siteId: string,
    targets: readonly string[],
    now: string,
    until: string,
  ): Promise<readonly string[]>
  /** Makes claimed targets due again, because their check was not completed. */
  releaseLinks(siteId: string, targets: readonly string[], claimedUntil: string, now: string): Promise<void>
  recordLinkChecks(siteId: string, results: readonly LinkCheckResult[]): Promise<void>
  /** Returns the hosts that a process requests, or that are paused. */
  busyHosts(siteId: string, now: string): Promise<readonly string[]>
  /** Claims a host for requests. @returns the date when it will be free; undefined if it is claimed now */
  claimHost(siteId: string, host: string, now: string, until: string): Promise<string | undefined>
  /** Releases the claim on a host, which must not be requested before `freeFrom`. */
  freeHost(siteId: string, host: string, claimedUntil: string, freeFrom: string): Promise<void>
  /** True if a site has a published article with this slug in any of its languages. */
  hasPublishedArticle(siteId: string, slug: string): Promise<boolean>
}
