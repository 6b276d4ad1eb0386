// A run is killed at any request, before or after the service has acted: the next run ends with exactly the wanted
// articles, and the one after it sends nothing. Each service gets a different share of the moments; with MOMENTS=1000
// all of them.
import { expect, test } from 'vitest'
import { AFTER, BEFORE, DROPPED, LATER, WANTED, WANTED_LATER } from '../support/changes.ts'
import type { Files } from '../support/project.ts'
import type { Mishap } from '../support/memory-service.ts'
import { heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import { readRuns, shareOf } from '../support/runs.ts'
import type { ServiceHabits } from '../support/strict-service.ts'

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug with 409', { duplicateSlugs: 'refused-409' }],
  ['refuses a taken slug with 200', { duplicateSlugs: 'refused-200' }],
  ['changes a taken slug', { duplicateSlugs: 'suffixed' }],
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
  ['names what it creates', { extensions: ['ids'] }],
  ['updates in place and names what it creates', { extensions: ['update', 'ids'] }],
  ['takes several articles at once', { extensions: ['update', 'batch'] }],
  ['offers everything', { duplicateSlugs: 'refused-409', extensions: ['update', 'ids', 'batch'] }],
  ['strips comments', { stripsComments: true }],
  ['strips comments and refuses a taken slug', { stripsComments: true, duplicateSlugs: 'refused-409' }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['has numeric ids', { numericIds: true, duplicateSlugs: 'refused-200' }],
  ['lists late', { listLag: { upTo: 2, seed: 3 }, linkLag: { upTo: 2, seed: 4 } }],
  ['lists late and refuses a taken slug', { listLag: 1, duplicateSlugs: 'refused-409' }],
]

const EITHER_DEATH = readRuns('MOMENTS', 5)
const ONE_DEATH = readRuns('MOMENTS', 3)

const ALL = { prune: true, yes: true }

async function startChanged(habits: ServiceHabits) {
  const started = await startSyncedInMemory(habits, BEFORE)
  started.checkout.write(AFTER)
  started.checkout.remove(DROPPED)
  return started
}

/** @param changes changes of the files before the next run */
async function killAndRunAgain(
  habits: ServiceHabits,
  request: number,
  { death, changes }: { readonly death: Mishap; readonly changes: Files },
) {
  const { service, checkout } = await startChanged(habits)
  await checkout.meet([[request, death]], ALL)
  checkout.write(changes)
  service.catchUp()
  checkout.wait()
  const next = await checkout.sync(ALL)
  const held = heldBy(service)
  const open = next.operations.filter(({ outcome }) => outcome !== 'done')
  service.catchUp()
  checkout.wait()
  service.forget()
  await checkout.sync(ALL)
  return { held, open, failure: next.failure?.code, writes: writesTo(service) }
}

const DEATHS = ['killed-before', 'killed-after'] as const

async function countRequests(habits: ServiceHabits): Promise<number> {
  const { service, checkout } = await startChanged(habits)
  await checkout.sync(ALL)
  expect(service.requests.length).toBeGreaterThan(10)
  return service.requests.length
}

const CLEAN = { open: [], failure: undefined, writes: [] }

const NUMBERED = HABITS.map(([name, habits], turn) => [name, habits, turn] as const)

test.each(NUMBERED)('killed at any request on a service that %s', async (_, habits, turn) => {
  const requests = [...Array(await countRequests(habits)).keys()]
  const moments = requests.flatMap((request) => DEATHS.map((death) => ({ request, death })))
  for (const moment of shareOf(moments, EITHER_DEATH, turn)) {
    const end = await killAndRunAgain(habits, moment.request, { death: moment.death, changes: {} })
    expect({ ...moment, ...end }).toEqual({ ...moment, held: WANTED, ...CLEAN })
  }
})

// If comments are removed, only the journal shows that the articles are managed.
test.each(NUMBERED)('killed before the files change again, on a service that %s', async (_, habits, turn) => {
  const requests = [...Array(await countRequests(habits)).keys()]
  for (const request of shareOf(requests, ONE_DEATH, turn)) {
    const death = DEATHS[request % 2] ?? 'killed-after'
    const end = await killAndRunAgain(habits, request, { death, changes: LATER })
    expect({ request, death, ...end }).toEqual({ request, death, held: WANTED_LATER, ...CLEAN })
  }
})
