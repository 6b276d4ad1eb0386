/** What one check of a target showed. */
export type Observation =
  | { readonly kind: 'works'; readonly status: number | null }
  /** A reader would not get there. */
  | { readonly kind: 'broken'; readonly status: number | null; readonly reason: string }
  /** We may not look, but a reader might: a page behind a sign-in, a private address. */
  | { readonly kind: 'closed'; readonly status: number | null; readonly reason: string }
  /** The host asks us to come back later. */
  | {
      readonly kind: 'busy'
      readonly status: number | null
      readonly reason: string
      readonly retryAfterMs: number
    }
