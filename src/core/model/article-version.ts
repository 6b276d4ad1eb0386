import type { ArticleRecord } from './target-state.ts'

/** Tells one version of one document's article from every other: document key and fingerprint of what was sent. */
export function versionOf({ key, fingerprint }: Pick<ArticleRecord, 'key' | 'fingerprint'>): string {
  return `${key} ${fingerprint}`
}
