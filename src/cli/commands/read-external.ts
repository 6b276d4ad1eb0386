import type { ExternalOptions } from '../../inspect/check/external/check-external-links.ts'
import { KbError } from '../../core/errors/kb-error.ts'

/** Flags of `kb check` about links to other sites. */
export interface ExternalFlags {
  readonly external?: boolean
  readonly checkPrivateLinks?: boolean
}

/** How links to other sites are to be checked; undefined where they are not. @throws KbError USAGE */
export function readExternal({ external, checkPrivateLinks }: ExternalFlags): ExternalOptions | undefined {
  if (external === true) return { allowPrivateAddresses: checkPrivateLinks }
  if (checkPrivateLinks !== true) return undefined
  throw new KbError('USAGE', '--check-private-links is about links to other sites.', {
    hint: 'Use it together with --external.',
  })
}
