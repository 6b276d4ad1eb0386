import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { KbError } from '../core/errors/kb-error.ts'

/**
 * A run about nothing would look like one that found nothing.
 *
 * @throws KbError USAGE for a source that does not exist
 */
export function assertSources(sources: readonly string[] | undefined, contentRoot: string): void {
  const missing = sources?.find((source) => !existsSync(join(contentRoot, source)))
  if (missing === undefined) return
  throw new KbError('USAGE', `There is no file or folder ${missing} in the content folder.`, {
    hint: 'Sources are paths under the content folder, with /.',
  })
}
