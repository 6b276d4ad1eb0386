import { digestParts } from '../digest.ts'

/** Digest of source and language (null for the default one): tells the article that came from a file, whatever its slug. */
export function documentKey(source: string, language: string | null): string {
  return digestParts([source, language ?? ''])
}
