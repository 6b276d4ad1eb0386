// Two server processes on one PostgreSQL database answer as the model does, as if they were one: each request goes to the
// process that has not answered the last one, so that it must know of every write at once.
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../support/postgres-database.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { type Met, runHistory } from './run-history.ts'
import { histories } from './steps.ts'
import { openWorld, serveInTwoProcesses } from './world.ts'

const RUNS = readRuns('HISTORIES', 30)

const COMMON = [
  'readArticle',
  'createArticle',
  'updateArticle',
  'deleteArticle',
  'updateCategory',
  'updateTag',
]

test('two processes agree with the model', timeoutOf(RUNS, 5000), async () => {
  const world = await openWorld(await createPostgresDatabase(), serveInTwoProcesses)
  onTestFinished(() => world.close())
  const met: Met = new Map()
  const property = fc.asyncProperty(histories, (steps) => runHistory(world, steps, met))
  await fc.assert(property, RUNS)
  expect(COMMON.filter((operation) => !met.has(`${operation} 200`))).toEqual([])
})
