// Articles that include other files are sent when these change, and only then.
import { utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCheck } from '../../src/inspect/check/run-check.ts'
import { article } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const FILES = {
  'content/first.md': article('First', { body: 'Text.\n\n<!-- include: _parts/a.md -->' }),
  'content/second.md': article('Second', { body: 'Text.\n\n<!-- include: _parts/b.md -->' }),
  'content/third.md': article('Third', { body: 'Third.' }),
  'content/fourth.md': article('Fourth', { body: '<!-- include: third.md -->' }),
  'content/_parts/a.md': 'Of a.\n',
  'content/_parts/b.md': 'Of b.\n\n<!-- include: c.md -->\n',
  'content/_parts/c.md': 'Of c.\n',
}

async function startSynced() {
  const service = await startStrictService({ extensions: ['update'] })
  const project = createSyncProject(service.url, FILES)
  // Like the built-in server, so that a run with nothing to do ends before any request.
  const sync = () => project.sync({ readRevision: () => Promise.resolve(1) })
  expect(outcomeOf(await sync())).toMatchObject({ created: 4 })
  service.forget()
  return { service, project, sync }
}

test('a changed file is sent with every article that includes it, and with no other', async () => {
  const { service, project, sync } = await startSynced()
  project.write({ 'content/_parts/c.md': 'Of c, changed.\n' })
  expect(outcomeOf(await sync())).toEqual({ updated: 1, unchanged: 3, operations: ['update second.md done'] })
  expect(service.articleAt('second').content).toMatch(
    /^<p>Text\.<\/p>\n<p>Of b\.<\/p>\n<p>Of c, changed\.<\/p>\n/,
  )
  project.write({ 'content/third.md': article('Third', { body: 'Third, changed.' }) })
  expect(outcomeOf(await sync())).toEqual({
    updated: 2,
    unchanged: 2,
    operations: ['update fourth.md done', 'update third.md done'],
  })
})

test('a run with nothing to do sends no request, even after a touch, and notices each kind of change', async () => {
  const { service, project, sync } = await startSynced()
  const requests = async () => {
    service.forget()
    const { summary } = await sync()
    return [summary.unchanged, service.requests.length > 0]
  }
  expect(await requests()).toEqual([4, false])
  utimesSync(project.path('content/_parts/a.md'), 1_000_000_000, 1_000_000_000)
  expect(await requests()).toEqual([4, false])
  project.write({ 'content/_parts/c.md': '' })
  expect(await requests()).toEqual([3, true])
  expect(await requests()).toEqual([4, false])
  project.remove('content/_parts/a.md')
  const { diagnostics } = await sync()
  expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(['content/first.md include-missing'])
})

test('a check of one article shows the problems of the files that it includes', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, {
    ...FILES,
    'content/_parts/c.md': '[x](missing.md)\n',
    'content/_parts/a.md': '[y](missing.md)\n',
  })
  const { diagnostics } = await runCheck({
    settings: project.settings,
    isSelected: (source) => source === 'second.md',
  })
  expect(diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'content/_parts/c.md:1 link-file-missing',
  ])
})
