// The marker at the end of every article that we send, because the API has no other way to identify managed articles.
// It contains only hex, so nothing in it can end the comment or look like markup to a sanitiser.

import { DIGEST_LENGTH } from '../digest.ts'
import { FIELDS_HASH_LENGTH } from './article-fields.ts'

export interface Marker {
  readonly project: string
  /** Digest of source and language. */
  readonly documentKey: string
  readonly fingerprint: string
  readonly sourceHash: string
  /** Concatenated hashes of the fields. */
  readonly fieldsHash: string
  readonly projectionHash: string
}

const HASH = `[0-9a-f]{${DIGEST_LENGTH}}`
const FIELDS_HASH = `[0-9a-f]{${FIELDS_HASH_LENGTH}}`
const MARKER = new RegExp(
  `<!--\\s*kb1\\.((?:[0-9a-f]{2})+)\\.(${HASH})\\.(${HASH})\\.(${HASH})\\.(${FIELDS_HASH})\\.(${HASH})\\s*-->`,
  'g',
)

export function formatMarker(marker: Marker): string {
  const project = Buffer.from(marker.project, 'utf8').toString('hex')
  const { documentKey, fingerprint, sourceHash, fieldsHash, projectionHash } = marker
  return `<!--kb1.${[project, documentKey, fingerprint, sourceHash, fieldsHash, projectionHash].join('.')}-->`
}

/** Returns the HTML to send, which ends with the marker. */
export function appendMarker(html: string, marker: Marker): string {
  return `${html}${html === '' || html.endsWith('\n') ? '' : '\n'}${formatMarker(marker)}\n`
}

export function removeMarkers(html: string): string {
  return html.replace(MARKER, '').trimEnd()
}

/** Returns the last marker in the HTML; undefined if the target removes markers or the article has none. */
export function readMarker(html: string): Marker | undefined {
  const match = [...html.matchAll(MARKER)].at(-1)
  if (match === undefined) return undefined
  const [
    ,
    project = '',
    documentKey = '',
    fingerprint = '',
    sourceHash = '',
    fieldsHash = '',
    projectionHash = '',
  ] = match
  return {
    project: Buffer.from(project, 'hex').toString('utf8'),
    documentKey,
    fingerprint,
    sourceHash,
    fieldsHash,
    projectionHash,
  }
}
