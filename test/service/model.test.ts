// Whatever is asked of the service, it answers as the model does and as its OpenAPI document says. HISTORIES sets how
// many histories are tried (60 at least).
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Met, runHistory } from './run-history.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { histories } from './steps.ts'
import { openWorld } from './world.ts'

/** So many that every common outcome is met. */
const FEWEST = 60

const { numRuns, seed } = readRuns('HISTORIES', FEWEST)
const RUNS = { numRuns: Math.max(FEWEST, numRuns), seed }

/** Outcomes that so many histories are bound to meet; without them the run would have shown little. */
const COMMON = [
  ['readArticle 200', 'readArticle 400', 'readArticle 404'],
  ['readArticle copy', 'readArticle translation', 'readArticle with draft', 'readArticle draft'],
  ['readTag copy', 'readTag translation'],
  ['createArticle 200', 'createArticle 400', 'createArticle 401', 'createArticle 403', 'createArticle 409'],
  ['updateArticle 200', 'updateArticle 400', 'updateArticle 404', 'updateArticle 409'],
  ['deleteArticle 200', 'deleteArticle 403', 'deleteArticle 404'],
  ['listCategories 200', 'listReviewDates 200', 'listLinks 200', 'announceExtensions 200'],
  ['updateCategory 200', 'updateCategory 400', 'updateTag 200', 'updateTag 400', 'readTag 200'],
].flat()

test('the service agrees with its model and with its OpenAPI document', timeoutOf(RUNS, 1000), async () => {
  const world = await openWorld()
  onTestFinished(() => world.close())
  const met: Met = new Map()
  const property = fc.asyncProperty(histories, (steps) => runHistory(world, steps, met))
  await fc.assert(property, RUNS)
  expect(COMMON.filter((outcome) => !met.has(outcome))).toEqual([])
})
