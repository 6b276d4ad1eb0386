/** The extensions of a target that change what can be planned for it. */
export interface TargetCapabilities {
  /** An article can be changed in place. */
  readonly update: boolean
  /** An article can be sent in a language, as the translation of another one. */
  readonly languages: boolean
}

/** The documented interface and nothing else. */
export const NO_CAPABILITIES: TargetCapabilities = { update: false, languages: false }

export const ALL_CAPABILITIES: TargetCapabilities = { update: true, languages: true }

/** What is on offer, from the names that a target announces. */
export function readCapabilities(extensions: readonly string[]): TargetCapabilities {
  return { update: extensions.includes('update'), languages: extensions.includes('languages') }
}
