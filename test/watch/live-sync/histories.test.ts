// Histories in which every change is sent at once by a target that stays open, on services with any quirks, including
// people, crashes, lost responses, other machines and other commands: the result is the same as with separate runs.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import type { ServiceHabits } from '../../support/strict-service.ts'
import { historiesOf, type Step } from '../../sync/adversarial-steps.ts'
import { live, liveCarefully } from '../../sync/adversarial-world.ts'
import { createWatchingCheckout } from './watching-checkout.ts'

const RUNS = readRuns('HISTORIES', 5)
const PATIENCE = timeoutOf(RUNS, 2000)

const MOODS = { seed: 1, busy: 12, broken: 15, sullen: 20, redirects: 25, slow: 20, forgetful: 25 }
const LAGS = { listLag: { upTo: 2, seed: 1 }, linkLag: { upTo: 3, seed: 2 } }

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['updates in place', { extensions: ['update', 'languages'], duplicateSlugs: 'refused-409' }],
  ['updates, duplicates allowed', { extensions: ['update'], duplicateSlugs: 'allowed' }],
  ['updates, comments stripped', { extensions: ['update'], stripsComments: true }],
  [
    'updates, all that may be missing is',
    { extensions: ['update'], isSparse: true, rewritesHtml: true, numericIds: true },
  ],
  ['updates, lists that lag', { ...LAGS, extensions: ['update'], duplicateSlugs: 'refused-200' }],
  ['updates, unknown ids answered with 200', { extensions: ['update'], unknownIdStatus: 200 }],
  ['replaces', { duplicateSlugs: 'refused-409' }],
  ['replaces, comments stripped', { stripsComments: true }],
]

function toKinds({ extensions = [], stripsComments = false }: ServiceHabits) {
  return { hasLanguages: extensions.includes('languages'), isSelfEvident: !stripsComments }
}

const withMoods = (habits: ServiceHabits) => ({ languages: ['en', 'fr', 'de'], moods: MOODS, ...habits })

const QUIET_RUN: Step = {
  kind: 'run',
  by: 0,
  mishaps: [],
  isAnnoyed: false,
  verify: false,
  isLater: true,
  visit: undefined,
}

/** Its last change is sent alone, so that even a few histories contain such a change. */
const PLAIN: Step[][] = [
  [
    { kind: 'edit', edit: { kind: 'add', page: 0, slug: 0, title: 0 } },
    QUIET_RUN,
    { kind: 'edit', edit: { kind: 'words', page: 0, value: 1 } },
    QUIET_RUN,
  ],
]

test.each(HABITS)('every history ends with the wanted articles (%s)', PATIENCE, async (_, habits) => {
  const ways = { edited: 0, all: 0 }
  const property = fc.asyncProperty(historiesOf(toKinds(habits)), (chapters) =>
    live(chapters, withMoods(habits), createWatchingCheckout(ways)),
  )
  await fc.assert(property, { ...RUNS, examples: [[PLAIN]] })
  expect(ways.all).toBeGreaterThan(0)
  expect(ways.edited > 0).toBe(habits.extensions?.includes('update') === true)
})

test.each(HABITS)('edits on the target are not overwritten (%s)', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const checkouts = createWatchingCheckout({ edited: 0, all: 0 })
  const property = fc.asyncProperty(historiesOf(toKinds(habits)), (chapters) =>
    liveCarefully(chapters, withMoods(habits), checkouts),
  )
  await fc.assert(property, RUNS)
})
