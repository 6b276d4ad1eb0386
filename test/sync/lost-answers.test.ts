// Any response of a run is lost, whether or not the service had acted: nothing is blindly sent twice, and the next run
// completes the rest. Each service loses a different share of the responses; with MOMENTS=1000, all of them.
import { expect, test } from 'vitest'
import { AFTER, BEFORE, DROPPED, WANTED } from '../support/changes.ts'
import { heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import type { Mishap } from '../support/memory-service.ts'
import { readRuns, shareOf } from '../support/runs.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import type { ServiceHabits } from '../support/strict-service.ts'

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['changes a taken slug', { duplicateSlugs: 'suffixed' }],
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
  ['names what it creates', { extensions: ['ids'] }],
  ['updates in place and names what it creates', { extensions: ['update', 'ids'] }],
  ['takes several articles at once', { extensions: ['update', 'batch'] }],
  ['offers everything', { duplicateSlugs: 'refused-409', extensions: ['update', 'ids', 'batch'] }],
  ['strips comments', { stripsComments: true }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['lists late', { listLag: 2, linkLag: 2 }],
]

/** Used in turn, from request to request. */
const LOSSES: readonly (readonly Mishap[])[] = [
  ['cut-before', 'failed-after'],
  ['failed-before', 'cut-after'],
]
const RUNS = readRuns('MOMENTS', 5)

const ALL = { prune: true, yes: true }

async function startChanged(habits: ServiceHabits) {
  const started = await startSyncedInMemory(habits, BEFORE)
  started.checkout.write(AFTER)
  started.checkout.remove(DROPPED)
  return started
}

const NUMBERED = HABITS.map(([name, habits], turn) => [name, habits, turn] as const)

test.each(NUMBERED)('any response is lost on a service that %s', async (_, habits, turn) => {
  const { service: calm, checkout: undisturbed } = await startChanged(habits)
  await undisturbed.sync(ALL)
  const losses = calm.requests.flatMap((_each, request) =>
    (LOSSES[request % 2] ?? []).map((loss) => [request, loss] as const),
  )
  for (const [request, loss] of shareOf(losses, RUNS, turn)) {
    const { service, checkout } = await startChanged(habits)
    await checkout.meet([[request, loss]], ALL)
    // Never two versions of one article, even temporarily, except for an old version beside its new one.
    expect(doublesOf(service.articles())).toEqual([])
    service.catchUp()
    checkout.wait()
    await checkout.sync(ALL)
    expect({ request, loss, held: heldBy(service) }).toEqual({ request, loss, held: WANTED })
    service.catchUp()
    service.forget()
    await checkout.sync(ALL)
    expect(writesTo(service)).toEqual([])
  }
})

test.each(NUMBERED)(
  'any request is answered with success but ignored by a service that %s',
  async (_, habits, turn) => {
    const { service: calm, checkout: undisturbed } = await startChanged(habits)
    await undisturbed.sync(ALL)
    const moments = [...calm.requests.keys()].flatMap((request) =>
      (['ignored', 'ignored-in-words'] as const).map((mishap) => [request, mishap] as const),
    )
    for (const [request, mishap] of shareOf(moments, RUNS, turn)) {
      const { service, checkout } = await startChanged(habits)
      const met = await checkout.meet([[request, mishap]], ALL)
      // A run that reports success has done everything, and no run deletes an article without a new version.
      if (met !== undefined && isClean(met))
        expect({ request, mishap, held: heldBy(service) }).toEqual({ request, mishap, held: WANTED })
      expect({ request, mishap, missing: missingIn(heldBy(service)) }).toEqual({
        request,
        mishap,
        missing: [],
      })
      service.catchUp()
      checkout.wait()
      const next = await checkout.sync(ALL)
      expect({ request, recovery: next.recovery }).toEqual({ request, recovery: undefined })
      if (!isClean(next)) await checkout.sync(ALL)
      expect({ request, mishap, held: heldBy(service) }).toEqual({ request, mishap, held: WANTED })
      service.catchUp()
      service.forget()
      expect(isClean(await checkout.sync(ALL))).toBe(true)
      expect(writesTo(service)).toEqual([])
    }
  },
)

test('an article whose response was lost is found in the same run', async () => {
  for (const loss of ['cut-after', 'failed-after'] as const) {
    const { service, checkout } = await startSyncedInMemory({}, { 'content/.keep': '' })
    checkout.write(BEFORE)
    const result = await checkout.meet([[4, loss]])
    expect(result?.summary).toMatchObject({ created: 6, failed: 0 })
    expect(service.articles()).toHaveLength(6)
    expect(service.requests.filter((each) => each.startsWith('PUT'))).toHaveLength(6)
  }
})

function isClean({ operations, failure, guard }: SyncResult): boolean {
  return failure === undefined && guard === undefined && operations.every(({ outcome }) => outcome === 'done')
}

/** Titles of articles that existed before and now have no version. */
function missingIn(held: readonly string[]): string[] {
  const titles = new Set(held.map((each) => each.split(': ')[1]))
  return ['Edited', 'Kept', 'Left', 'Renamed', 'Right'].filter((title) => !titles.has(title))
}

/** Slug and content of articles that exist twice, identically. */
function doublesOf(articles: readonly { readonly slug: string; readonly content: string }[]): string[] {
  const seen = articles.map(({ slug, content }) => `${slug} ${content}`)
  return seen.filter((each, index) => seen.indexOf(each) !== index)
}
