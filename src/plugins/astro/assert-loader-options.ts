import { KbError } from '../../core/errors/kb-error.ts'

/**
 * A misspelt `config` would name no configuration, and another knowledge base would be read.
 *
 * @throws KbError CONFIG_INVALID
 */
export function assertLoaderOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new KbError('CONFIG_INVALID', 'A loader of kb-sync for Astro takes an object with options.')
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'config')
      throw new KbError(
        'CONFIG_INVALID',
        `A loader of kb-sync for Astro has no option "${name}", only "config".`,
      )
    if (value !== undefined && typeof value !== 'string')
      throw new KbError('CONFIG_INVALID', 'A loader of kb-sync for Astro: config must be of type string.')
  }
}
