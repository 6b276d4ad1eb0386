// A target that stays open, on the built-in server in its thread: in a process of its own.
import { expect, test } from 'vitest'
import { startScript } from '../support/child-script.ts'
import { article, createProject } from '../support/project.ts'

const SOURCES = new URL('../../src/', import.meta.url).pathname

const START = `
  import { rmSync, writeFileSync } from 'node:fs'
  import { normaliseConfig } from '${SOURCES}config/normalise-config.ts'
  import { openTarget } from '${SOURCES}kb/open-target.ts'
  import { createLiveTarget } from '${SOURCES}sync/live/create-live-target.ts'
  import { findContent, openContent } from '${SOURCES}sync/content-project.ts'
  const root = import.meta.dirname
  const settings = normaliseConfig({ project: 'demo' }, { root, programVersion: 'test' })
  const options = { settings, target: settings.target, connect: openTarget(settings.target, settings, { concurrency: 8, env: {} }), onConflict: 'fail', adopt: [], maxDeletes: 1 }
  const clock = { now: () => new Date(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }
  const target = createLiveTarget({ ...options, ...clock, yes: true, concurrency: 8 })
  const open = await openContent(settings, await findContent(settings))
  let { content } = open
  const told = []
  let order = 0
  const tell = (what, result) => told.push([what, result && { ...kept(result.summary), ...(result.failure && { failure: result.failure.code }) }])
  const kept = (summary) => Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0))
  const all = async () => tell('all', await target.syncAll(content, { held: new Set(), prune: false }))
  const edit = async () => {
    const [first, ...others] = content.articles
    const edited = { ...first, order: ++order, sourceHash: String(order).padStart(64, '0') }
    content = { ...content, articles: [edited, ...others] }
    tell('edit', await target.syncEdited(content, [edited], {}))
  }
  const end = async () => {
    await target.close()
    open.cache.close()
    writeFileSync(root + '/told.json', JSON.stringify(told))
  }
`

const FILES = {
  'content/_categories.yml': '- name: Guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

async function tellOf(script: string): Promise<unknown> {
  const project = createProject({ ...FILES, 'run.ts': `${START}\n${script}\nawait end()\n` })
  const { exited } = startScript(project.path('run.ts'))
  expect(await exited).toEqual([0, null])
  return JSON.parse(project.read('told.json'))
}

const CREATED = ['all', { created: 3 }]
const EDITED = ['edit', { updated: 1 }]
const DECLINED = ['edit', null]

test('edits go one after the other, and nothing keeps the process alive', async () => {
  expect(await tellOf('await all(); await edit(); await edit(); await all()')).toEqual([
    CREATED,
    EDITED,
    EDITED,
    ['all', { unchanged: 3 }],
  ])
})

test("where the server's thread has died, another one is started", async () => {
  const script = `
    const threads = []
    process.on('worker', (worker) => threads.push(worker))
    await all()
    await edit()
    await Promise.all(threads.map((worker) => worker.terminate()))
    await edit()
    await all()
    await edit()
    await target.flush()
    const [last] = threads.slice(-1)
    await last.terminate()
  `
  expect(await tellOf(script)).toEqual([
    CREATED,
    EDITED,
    DECLINED,
    ['all', { updated: 1, unchanged: 2 }],
    EDITED,
  ])
})

test('a database that is no more at its place is not written to', async () => {
  const script = `
    await all()
    await edit()
    for (const end of ['', '-wal', '-shm']) rmSync(root + '/.kb/kb.db' + end, { force: true })
    await edit()
    await all()
    await edit()
  `
  expect(await tellOf(script)).toEqual([CREATED, EDITED, DECLINED, CREATED, EDITED])
})
