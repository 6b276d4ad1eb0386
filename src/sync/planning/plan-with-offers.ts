import { versionOf } from '../../core/model/article-version.ts'
import { ALL_OFFERS, NO_OFFERS, type Offers } from '../plan/offers.ts'
import { planArticles } from '../plan/plan-articles.ts'
import { explainWithheld, planWithheld } from '../plan/split-languages.ts'
import type { Languages } from './ask-languages.ts'
import type { PlanInput } from './planned-run.ts'
import type { RemoteIndex } from '../remote/read-remote.ts'
import type { Refreshed } from '../remote/refresh-matches.ts'

/**
 * Plans as if everything were on offer; only where that shows something which an extension would do is the target asked,
 * and planned again with its answer.
 */
export async function planWithOffers(
  { session, state, articles, options }: PlanInput,
  { goneIds, languages: enabled }: RemoteIndex,
  { wanted, matches, entries, keepsComments }: Refreshed,
  languages: Languages,
) {
  const unnamed = state.articles.filter(({ id }) => id === '')
  const documentKeys = articles.map(({ key }) => key)
  const sentVersions = new Set(unnamed.map(versionOf))
  const planWith = (offers: Offers) => {
    const { sendable, withheld } = languages.split(offers)
    const taken = new Set(sendable.map(({ source }) => source).filter(options.isSelected))
    const selected = wanted.filter(({ article }) => taken.has(article.source))
    const plan = planArticles(selected, matches, entries, {
      ...options,
      goneIds,
      sentVersions,
      documentKeys,
      keepsComments,
      offers,
    })
    return { plan, withheld: withheld.filter(({ article }) => options.isSelected(article.source)) }
  }
  const bold = planWith(languages.offers ?? ALL_OFFERS)
  const related = new Set(
    wanted.flatMap(({ originalId, article }) => (originalId === undefined ? [] : [article.source])),
  )
  const isNeeded = bold.plan.operations.some(
    ({ action, language, source }) =>
      action === 'update' || (action === 'create' && (language !== null || related.has(source))),
  )
  const offers = languages.offers ?? (isNeeded ? await languages.extensions.ask() : NO_OFFERS)
  const { plan, withheld } = isNeeded && languages.offers === undefined ? planWith(offers) : bold
  const wording = { ...options, enabled, isBuiltin: session.createTaxonomy !== undefined }
  return {
    ...plan,
    offers,
    operations: [...plan.operations, ...withheld.map(planWithheld)],
    diagnostics: withheld.map((each) => explainWithheld(each, wording)),
  }
}
