// Histories on services with any quirks, including people, crashes, lost responses and other machines: at the end the
// target has exactly the wanted articles, and no foreign article was changed.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALTERATIONS, ALTERING_HABITS } from '../support/alterations.ts'
import type { DuplicateSlugs, ServiceHabits } from '../support/strict-service.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { historiesOf } from './adversarial-steps.ts'
import { live, liveCarefully } from './adversarial-world.ts'

const RUNS = readRuns('HISTORIES', 2)
const PATIENCE = timeoutOf(RUNS, 2000)

const MOODS = { seed: 1, busy: 12, broken: 15, sullen: 20, redirects: 25, slow: 20, forgetful: 25 }
const LAGS = { listLag: { upTo: 2, seed: 1 }, linkLag: { upTo: 3, seed: 2 } }

const MODES: readonly DuplicateSlugs[] = ['allowed', 'refused-409', 'refused-200', 'suffixed']
const EXTENSIONS = [
  [],
  ['update'],
  ['update', 'languages'],
  ['update', 'languages', 'ids', 'batch', 'etag'],
] as const
const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ...MODES.flatMap((duplicateSlugs) =>
    EXTENSIONS.map(
      (extensions) =>
        [
          `duplicates ${duplicateSlugs}, extensions: ${extensions.join(' ') || 'none'}`,
          { duplicateSlugs, extensions },
        ] as const,
    ),
  ),
  ['comments stripped', { stripsComments: true }],
  ['comments stripped, ids', { stripsComments: true, extensions: ['ids', 'batch'] }],
  ['comments stripped, duplicates refused', { stripsComments: true, duplicateSlugs: 'refused-409' }],
  ['HTML rewritten', { rewritesHtml: true }],
  ['members left out', { isSparse: true }],
  ['numeric ids', { numericIds: true, duplicateSlugs: 'refused-409' }],
  ['all that may be missing is', { isSparse: true, rewritesHtml: true, extensions: ['update'] }],
  ['unknown ids answered with 200', { unknownIdStatus: 200, duplicateSlugs: 'refused-409' }],
  ...ALTERING_HABITS,
  ['lists that lag', LAGS],
  ['lists that lag, ids', { ...LAGS, extensions: ['ids'] }],
  ['lists that lag, duplicates refused', { ...LAGS, duplicateSlugs: 'refused-200' }],
]

function toKinds({ extensions = [], stripsComments = false, duplicateSlugs, alters }: ServiceHabits) {
  // If titles are altered, a version unknown to the state may be a copy to which someone gave a title.
  const hasOwnTitles = alters !== ALTERATIONS['title escaped']
  const isSelfEvident = !stripsComments && duplicateSlugs !== 'suffixed' && hasOwnTitles
  return { hasLanguages: extensions.includes('languages'), isSelfEvident }
}

const withMoods = (habits: ServiceHabits) => ({ languages: ['en', 'fr', 'de'], moods: MOODS, ...habits })

test.each(HABITS)('every history ends with the wanted articles (%s)', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const property = fc.asyncProperty(historiesOf(toKinds(habits)), (chapters) =>
    live(chapters, withMoods(habits)),
  )
  await fc.assert(property, RUNS)
})

const KEEPS_MARKERS: readonly (readonly [string, ServiceHabits])[] = [
  ['duplicates allowed', {}],
  ['duplicates allowed, in place', { extensions: ['update'] }],
  ['duplicates refused', { duplicateSlugs: 'refused-409' }],
]

test.each(KEEPS_MARKERS)(
  'no identical copy of a managed article is claimed (%s)',
  PATIENCE,
  async (_, habits) => {
    expect.hasAssertions()
    const property = fc.asyncProperty(historiesOf({ ...toKinds(habits), hasTwins: true }), (chapters) =>
      live(chapters, withMoods(habits)),
    )
    await fc.assert(property, RUNS)
  },
)

test.each(HABITS)('edits on the target are not overwritten (%s)', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const property = fc.asyncProperty(historiesOf(toKinds(habits)), (chapters) =>
    liveCarefully(chapters, withMoods(habits)),
  )
  await fc.assert(property, RUNS)
})
