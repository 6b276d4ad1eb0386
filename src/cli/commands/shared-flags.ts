// Flags of several commands.
import { KbError } from '../../core/errors/kb-error.ts'
import type { CheckOptions } from '../../kb/options.ts'

/** @throws KbError USAGE if `--json` is combined with another format */
export function assertOneFormat(options: { readonly json?: boolean; readonly format?: string }): void {
  const { json, format } = options
  if (json !== true || format === undefined || format === 'json') return
  throw new KbError('USAGE', `--json cannot be combined with --format ${format}.`, {
    hint: 'Leave out one of them.',
  })
}

export interface ExternalFlags {
  readonly external?: boolean
  readonly checkPrivateLinks?: boolean
}

/** Returns how links to other sites are checked; undefined if they are not. @throws KbError USAGE */
export function readExternal({ external, checkPrivateLinks }: ExternalFlags): CheckOptions['external'] {
  if (external === true) return { allowPrivateAddresses: checkPrivateLinks }
  if (checkPrivateLinks !== true) return undefined
  throw new KbError('USAGE', '--check-private-links has no effect without --external.', {
    hint: 'Add --external.',
  })
}
