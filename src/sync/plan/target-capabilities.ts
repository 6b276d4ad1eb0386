/** The extensions of a target that affect planning. */
export interface TargetCapabilities {
  /** Articles can be updated in place. */
  readonly update: boolean
  /** Articles can be sent in a language, as translations of others. */
  readonly languages: boolean
}

/** The documented API without extensions. */
export const NO_CAPABILITIES: TargetCapabilities = { update: false, languages: false }

export const ALL_CAPABILITIES: TargetCapabilities = { update: true, languages: true }

/** Capabilities from the extensions that a target announces. */
export function readCapabilities(extensions: readonly string[]): TargetCapabilities {
  return { update: extensions.includes('update'), languages: extensions.includes('languages') }
}
