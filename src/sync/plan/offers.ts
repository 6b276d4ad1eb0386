/** The extensions of a target that change what can be planned for it. */
export interface Offers {
  /** An article can be changed in place. */
  readonly update: boolean
  /** An article can be sent in a language, as the translation of another one. */
  readonly languages: boolean
}

/** The documented interface and nothing else. */
export const NO_OFFERS: Offers = { update: false, languages: false }

export const ALL_OFFERS: Offers = { update: true, languages: true }

/** What is on offer, from the names that a target announces. */
export function readOffers(extensions: readonly string[]): Offers {
  return { update: extensions.includes('update'), languages: extensions.includes('languages') }
}
