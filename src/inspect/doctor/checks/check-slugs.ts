import { readOffers } from '../../../sync/plan/offers.ts'
import { type Finding, ok, unknown } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'

/** It matters only where an article is replaced by a new version. */
export function checkSlugs({ state, extensions }: Pick<TargetFacts, 'state' | 'extensions'>): Finding {
  if (extensions !== undefined && readOffers(extensions).update)
    return ok('target.slugs', 'articles are changed in place: none stands twice at its slug')
  switch (state.duplicateSlugs) {
    case 'allowed':
      return ok('target.slugs', 'two articles may have one slug: while one is replaced, it is never missing')
    case 'refused':
      return ok(
        'target.slugs',
        'two articles may not have one slug: while one is replaced, it is missing for a moment',
      )
    case undefined:
      return unknown(
        'target.slugs',
        'whether two articles may have one slug is not known yet',
        'The first replaced article shows it; kb doctor --probe tries it now.',
      )
  }
}
