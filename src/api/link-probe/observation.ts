/** The result of one check of a target. */
export type Observation =
  | { readonly kind: 'works'; readonly status: number | null }
  /** A reader would not reach it. */
  | { readonly kind: 'broken'; readonly status: number | null; readonly reason: string }
  /** Not accessible to us, but perhaps to a reader: a page that requires signing in, a private address. */
  | { readonly kind: 'closed'; readonly status: number | null; readonly reason: string }
  /** The host asks us to retry later. */
  | {
      readonly kind: 'busy'
      readonly status: number | null
      readonly reason: string
      readonly retryAfterMs: number
    }
