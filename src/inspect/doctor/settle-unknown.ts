import type { CheckName } from './checks.ts'
import type { Finding } from './finding.ts'

/** What a probe finds out of what could not be seen before. */
const SETTLED_BY: Partial<Record<CheckName, CheckName>> = {
  'connection.write': 'probe.create',
  'target.comments': 'probe.comments',
  'target.slugs': 'probe.slugs',
}

/** All findings, without those that were unknown until the probe settled them. */
export function settleUnknown(seen: readonly Finding[], probed: readonly Finding[]): readonly Finding[] {
  const isSettled = ({ check, status }: Finding) =>
    status === 'unknown' && probed.some((finding) => finding.check === SETTLED_BY[check])
  return [...seen.filter((finding) => !isSettled(finding)), ...probed]
}
