import { readOffers } from '../../../sync/plan/offers.ts'
import { failure, type Finding, ok, skipped, unknown } from '../finding.ts'
import { probeBody } from './probe-article.ts'
import type { ProbeFacts } from './probe-facts.ts'

const LINE = 'Second version.'
const ORDER = 7

/** Changes the first article in place, where the target says that it can. */
export async function tryUpdate({ context, bench, extensions, first }: ProbeFacts): Promise<Finding> {
  if (!readOffers(extensions).update) {
    return skipped('probe.update', 'the target does not announce updates in place')
  }
  bench.assertGoing()
  const { id } = first.probe
  const body = { ...probeBody({ ...first.wish, line: LINE }), ordering: ORDER }
  const outcome = await context.client.updateArticle(id, body)
  if (outcome.kind === 'lost') {
    return unknown('probe.update', `the answer to an update in place was lost: ${outcome.reason}`)
  }
  if (outcome.kind === 'refused') {
    return failure(
      'probe.update',
      `The target announces updates in place, and refused one (${outcome.status}): ${outcome.message}`,
      'A sync would meet the same; ask the operator of the target.',
    )
  }
  const read = await context.client.readArticle(id)
  const isChanged = read?.data.content?.includes(LINE) === true && read.data.order_by === ORDER
  return isChanged
    ? ok('probe.update', 'an update in place changes the article and keeps its id')
    : failure(
        'probe.update',
        'The target said that it had changed an article in place, and it is as it was.',
        'A sync would send such articles again and again; ask the operator of the target.',
      )
}
