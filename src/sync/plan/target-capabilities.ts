/** The extensions of a target that a sync uses. */
export interface TargetCapabilities {
  /** Articles can be updated in place. */
  readonly update: boolean
  /** Articles can be sent in a language, as translations of others. */
  readonly languages: boolean
  /** The response to a create names the new article. */
  readonly ids: boolean
  /** Several articles can be sent in one request. */
  readonly batch: boolean
  /** A write can name the version that it replaces. */
  readonly etag: boolean
  /** The target stores the files that articles use. */
  readonly files: boolean
  /** Other slugs of an article can be sent, which lead to it. */
  readonly redirects: boolean
  /** The files of articles can be named, for a link to edit them. */
  readonly sources: boolean
  /** All articles can be listed, without their contents. */
  readonly changedSince: boolean
  /** A create with a key may be sent again: the target creates one article. */
  readonly idempotency: boolean
}

/** The documented API without extensions. */
export const NO_CAPABILITIES: TargetCapabilities = readCapabilities([])

export const ALL_CAPABILITIES: TargetCapabilities = readCapabilities([
  'update',
  'languages',
  'ids',
  'batch',
  'etag',
  'files',
  'redirects',
  'sources',
  'changed-since',
  'idempotency',
])

/** Capabilities from the extensions that a target announces. */
export function readCapabilities(extensions: readonly string[]): TargetCapabilities {
  const offers = (name: string) => extensions.includes(name)
  return {
    update: offers('update'),
    languages: offers('languages'),
    ids: offers('ids'),
    batch: offers('batch'),
    etag: offers('etag'),
    files: offers('files'),
    redirects: offers('redirects'),
    sources: offers('sources'),
    changedSince: offers('changed-since'),
    idempotency: offers('idempotency'),
  }
}

/** Says how the operator of a target does what the API cannot. Only kb-sync servers announce extensions. */
export function onTarget(offers: TargetCapabilities, command: string, action: string): string {
  const isKbServer = Object.values(offers).includes(true)
  return isKbServer ? `On the server, run ${command}` : `${action} in the web interface of the service`
}
