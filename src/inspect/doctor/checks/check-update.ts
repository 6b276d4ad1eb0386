import { readOffers } from '../../../sync/plan/offers.ts'
import { type Finding, ok, unknown } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'

export function checkUpdate({ extensions }: Pick<TargetFacts, 'extensions'>): Finding {
  if (extensions === undefined) {
    return unknown(
      'target.update',
      'the target did not say whether articles can be changed in place',
      'Run kb doctor again.',
    )
  }
  return readOffers(extensions).update
    ? ok('target.update', 'articles are changed in place and keep their ids')
    : ok(
        'target.update',
        'articles cannot be changed in place: an edited one is replaced by a new one with another id',
      )
}
