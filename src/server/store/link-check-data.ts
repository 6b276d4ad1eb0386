// The data of the link checker. Several links of a site may share a target (link-target.ts). Times are ISO 8601 in UTC.

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
