import { expect, test } from 'vitest'
import { createBuildRun } from '../../../src/plugins/vite/build-run.ts'
import { createAdapter } from '../../../src/plugins/adapter/create-adapter.ts'
import { createProject } from '../../support/project.ts'

function createRun() {
  const { root } = createProject()
  const host = { cwd: root, mode: 'build', env: {}, info: () => undefined, warn: () => undefined } as const
  return createBuildRun(createAdapter({}, host))
}

type Run = ReturnType<typeof createRun>

function bundle(run: Run, name: string): boolean {
  run.begin(name)
  run.render()
  run.written()
  run.close(name, name)
  return run.isComplete()
}

test('concurrent bundles are complete when the last one is closed', () => {
  const run = createRun()
  run.begin('client')
  run.begin('client')
  run.close('client', 'client')
  expect(run.isComplete()).toBe(false)
  run.close('client', 'client')
  expect(run.isComplete()).toBe(true)
})

test('a bundle that is started and never written has failed', () => {
  const run = createRun()
  run.begin('client')
  run.render()
  run.close('client', 'client')
  expect(run.isComplete()).toBe(false)
})

test('a failure applies to all bundles of a build, and ends with the next one', () => {
  const run = createRun()
  run.begin('client')
  run.fail()
  run.close('client', 'client')
  expect([bundle(run, 'server'), bundle(run, 'client')]).toEqual([false, true])
})

test('a failed bundle that was never closed does not block the next build', () => {
  const run = createRun()
  run.begin('client')
  run.fail()
  expect(bundle(run, 'client')).toBe(true)
})

test('environments in turn are complete when the hook after them runs', () => {
  const run = createRun()
  run.beginApp()
  expect([run.isApp(), bundle(run, 'client'), bundle(run, 'server')]).toEqual([true, false, false])
  run.endApp([])
  expect([run.isApp(), run.isComplete()]).toEqual([false, true])
})

test('environments that come after the hook are complete when the last of them is closed', () => {
  const run = createRun()
  run.beginApp()
  run.endApp(['client', 'server'])
  expect([bundle(run, 'client'), bundle(run, 'other'), bundle(run, 'server')]).toEqual([false, false, true])
})

test('the result of a sync is reported once in a build', () => {
  const run = createRun()
  bundle(run, 'client')
  const first = [run.isFirstReport(), run.isFirstReport()]
  bundle(run, 'client')
  expect([first, run.isFirstReport()]).toEqual([[true, false], true])
})
