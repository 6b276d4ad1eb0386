import { readOffers } from '../../../sync/plan/offers.ts'
import { type Finding, ok, unknown, warning } from '../finding.ts'
import type { ProbeFacts } from './probe-facts.ts'

/** Creates a second article with the slug of the first. */
export async function trySlugs({ context, bench, extensions, first }: ProbeFacts): Promise<Finding> {
  const { slug } = first.wish
  const token = context.randomToken()
  const outcome = await bench.create({ ...first.wish, token })
  if (outcome.kind === 'refused') {
    const consequence = readOffers(extensions).update
      ? 'that matters little where articles are changed in place'
      : 'while one is replaced, it is missing for a moment'
    return ok(
      'probe.slugs',
      `a second article with the same slug is refused (${outcome.status}): ${consequence}`,
    )
  }
  const second = await bench.waitFor(token)
  if (second === undefined) {
    return unknown('probe.slugs', 'what became of a second article with the same slug could not be seen')
  }
  const given = second.article.data.slug ?? ''
  if (given === slug) {
    return ok('probe.slugs', 'two articles may have one slug: while one is replaced, it is never missing')
  }
  return warning(
    'probe.slugs',
    `A second article with the slug ${slug} was given the slug ${given}.`,
    'A sync sees that and deletes before it creates: while an article is replaced, it is missing for a moment.',
  )
}
