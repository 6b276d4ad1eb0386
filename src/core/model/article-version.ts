import { DIGEST_LENGTH } from '../digest.ts'

/** Tells one version of one document's article from every other: document key and fingerprint of what was sent. */
export function versionOf({
  key,
  fingerprint,
}: {
  readonly key: string
  readonly fingerprint: string
}): string {
  return `${key} ${fingerprint}`
}

/** Stand for a version that no document has: of an article that we have not sent, or not in a version that is known. */
export const UNKNOWN_VERSION = {
  fingerprint: '0'.repeat(DIGEST_LENGTH),
  sourceHash: '0'.repeat(DIGEST_LENGTH),
} as const
