/** The extensions of a target that a sync uses, each with the name that a target announces. */
const USED_EXTENSIONS = {
  /** Articles can be updated in place. */
  updateInPlace: 'update',
  /** Articles can be sent in a language, as translations of others. */
  languages: 'languages',
  /** The response to a create names the new article. */
  ids: 'ids',
  /** Several articles can be sent in one request. */
  batch: 'batch',
  /** A write can name the version that it replaces. */
  etag: 'etag',
  /** The target stores the files that articles use. */
  files: 'files',
  /** Other slugs of an article can be sent, which lead to it. */
  redirects: 'redirects',
  /** The files of articles can be named, for a link to edit them. */
  sources: 'sources',
  /** All articles can be listed, without their contents. */
  changedSince: 'changed-since',
  /** A create with a key may be sent again: the target creates one article. */
  idempotency: 'idempotency',
} as const

export type TargetCapabilities = { readonly [Name in keyof typeof USED_EXTENSIONS]: boolean }

/** The documented API without extensions. */
export const NO_CAPABILITIES = readCapabilities([])

export const ALL_CAPABILITIES = readCapabilities(Object.values(USED_EXTENSIONS))

export function readCapabilities(extensions: readonly string[]): TargetCapabilities {
  const entries = Object.entries(USED_EXTENSIONS).map(([key, name]) => [key, extensions.includes(name)])
  return Object.fromEntries(entries) as TargetCapabilities
}

/** Explains how the operator of a target can do what the API cannot. Only kb-sync servers announce extensions. */
export function onTarget(offers: TargetCapabilities, command: string, action: string): string {
  const isKbServer = Object.values(offers).includes(true)
  return isKbServer ? `On the server, run ${command}` : `${action} in the web interface of the service`
}
