import { readOffers } from '../../../sync/plan/offers.ts'
import { failure, type Finding, ok, skipped, unknown } from '../finding.ts'
import type { ProbeFacts } from './probe-facts.ts'

/** Creates a translation of the first article, where the target says that it takes languages. */
export async function tryLanguages(facts: ProbeFacts): Promise<Finding> {
  const { context, bench, extensions, languages, first } = facts
  if (!readOffers(extensions).languages) {
    return skipped('probe.languages', 'the target does not announce languages')
  }
  const lang = languages.find((language) => language !== context.defaultLanguage)
  if (lang === undefined) return skipped('probe.languages', 'the target has one language only')
  const token = context.randomToken()
  const language = { lang, languageParent: first.probe.id }
  const outcome = await bench.create({ ...first.wish, token, language })
  if (outcome.kind === 'refused') {
    return failure(
      'probe.languages',
      `The target announces languages, and refused a translation into ${lang} (${outcome.status}): ${outcome.message}`,
      'A sync would meet the same; ask the operator of the target.',
    )
  }
  const translation = await bench.waitFor(token)
  if (translation === undefined) {
    return unknown('probe.languages', `what became of a translation into ${lang} could not be seen`)
  }
  const { data } = translation.article
  return data.language === lang && data.language_parent === first.probe.id
    ? ok('probe.languages', `a translation into ${lang} keeps its language and its original`)
    : failure(
        'probe.languages',
        `A translation into ${lang} came back in the language "${data.language ?? ''}" with the original "${data.language_parent ?? ''}".`,
        'Translations would be sent again and again; ask the operator of the target.',
      )
}
