import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { digestParts } from '../../core/digest.ts'
import type { FoundSources } from '../../content/find-sources.ts'
import { hashSource } from '../../content/hash-sources.ts'

/** Changes whenever reading the taxonomy files anew may give something else. */
export function digestTaxonomyFiles(contentRoot: string, { taxonomy }: FoundSources): string {
  return digestParts(
    taxonomy.flatMap(({ source }) => [
      source,
      // A symbolic link to the same text outside the content folder is an error.
      placeOf(join(contentRoot, source)),
      hashSource(contentRoot, source),
    ]),
  )
}

function placeOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // Gone meanwhile.
    return ''
  }
}
