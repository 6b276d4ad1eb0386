import { DIGEST_LENGTH } from '../digest.ts'

/** Identifies one version of one document's article: document key and fingerprint of what was sent. */
export function versionOf(article: { readonly key: string; readonly fingerprint: string }): string {
  return `${article.key} ${article.fingerprint}`
}

/** A version that no document has: for an article that we did not send, or whose version is unknown. */
export const UNKNOWN_VERSION = {
  fingerprint: '0'.repeat(DIGEST_LENGTH),
  sourceHash: '0'.repeat(DIGEST_LENGTH),
} as const
