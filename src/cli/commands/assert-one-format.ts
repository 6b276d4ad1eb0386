import { KbError } from '../../core/errors/kb-error.ts'

/** @throws KbError USAGE where `--json` stands beside another format */
export function assertOneFormat({
  json,
  format,
}: {
  readonly json?: boolean
  readonly format?: string
}): void {
  if (json !== true || format === undefined || format === 'json') return
  throw new KbError('USAGE', `--json goes with no --format ${format}.`, { hint: 'Leave out one of them.' })
}
