import { DIGEST_LENGTH } from '../digest.ts'

/** Identifies a version of a document's article by document key and fingerprint. */
export function versionOf(article: { readonly key: string; readonly fingerprint: string }): string {
  return `${article.key} ${article.fingerprint}`
}

/** A version that no document has, for an article that we did not send or whose version is unknown. */
export const UNKNOWN_VERSION = {
  fingerprint: '0'.repeat(DIGEST_LENGTH),
  sourceHash: '0'.repeat(DIGEST_LENGTH),
} as const
