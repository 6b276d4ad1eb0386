// A target that is unreachable, rejects us, or is used by another process.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { takeLock } from '../../src/sync/state/lock.ts'
import { loadConfig } from '../../src/core/config/load-config.ts'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { stateFiles, workspaceOf } from '../../src/sync/state/workspace.ts'
import { type BuiltinService, startBuiltinService } from '../support/builtin-service.ts'
import { type FaultProxy, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile } from '../support/project.ts'
import { PAUSES } from '../../src/watch/reducer/watch-state.ts'
import {
  addFailure,
  type Backoff,
  backoffMsLeft,
  createBackoff,
  retrySoon,
} from '../../src/watch/reducer/backoff.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'
import { createWatchedProject, startWatching } from '../support/watched-project.ts'

let service: BuiltinService
let proxy: FaultProxy

beforeAll(async () => {
  service = await startBuiltinService()
  proxy = await startFaultProxy(service.url)
})
beforeEach(() => proxy.clear())
afterAll(async () => {
  await proxy.close()
  await service.close()
})

let projects = 0

/** A separate project on the service behind the proxy. */
function openProject(config: object = {}) {
  const name = `demo-${projects++}`
  const target = { url: proxy.url, apiKey: SERVICE_KEY }
  const project = createWatchedProject(
    { 'content/one.md': article('One', { slug: `${name}-one` }) },
    { project: name, target, sync: { retries: 0, settle: '0s' }, ...config },
  )
  const one = (body: string) => article('One', { slug: `${name}-one`, body })
  return { ...project, name, target, one }
}

const AWAY = refusal(503, 'Away.')

test('while a target is unreachable, changes wait, and are sent when it is back', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  proxy.inject(AWAY, { times: 1000 })
  project.write({ 'content/one.md': project.one('Written while it is away.') })
  const offline = await watch.next('offline')
  expect(offline.retryInMs).toBe(100)
  expect(watch.view()?.sync).toMatchObject({ state: 'offline', pending: 1 })
  expect((await watch.next('offline')).retryInMs).toBe(200)
  proxy.clear()
  await watch.next('online')
  await watch.next('settled')
  expect(watch.told().filter((line) => !line.startsWith('offline'))).toEqual([
    'sent update one.md',
    'online',
    'settled',
  ])
  expect(await watch.stop()).toMatchObject({ sent: 2, pending: 0 })
})

test('pauses start at one second and double up to half a minute', () => {
  const failure = new KbError('TARGET_UNREACHABLE', 'Away.')
  const failed: Backoff[] = []
  for (let times = 0; times < 7; times++)
    failed.push(addFailure(failed.at(-1) ?? createBackoff(PAUSES.retryMs), failure, 0))
  expect(failed.map(({ pauseMs }) => pauseMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  const msLeftAt = (backoff: Backoff | undefined, times: readonly number[]) =>
    times.map((ms) => backoff && backoffMsLeft(backoff, ms))
  const last = failed.at(-1)
  expect(msLeftAt(last, [0, 29_999, 30_000])).toEqual([30_000, 1, 0])
  expect(msLeftAt(last && retrySoon(last), [0, 1000])).toEqual([1000, 0])
})

test('a target that is unreachable at the start is waited for, and the page shows the files', async () => {
  const project = openProject()
  proxy.inject(AWAY, { times: 1000 })
  const watch = project.watch()
  await watch.next('offline')
  expect(watch.view()?.content?.articles).toHaveLength(1)
  proxy.clear()
  project.write({ 'content/one.md': project.one('Edited before the first sync.') })
  expect((await watch.next('ready')).result.summary).toMatchObject({ created: 1 })
})

test('a problem is reported while the target is unreachable', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  proxy.inject(AWAY, { times: 1000 })
  project.write({ 'content/one.md': project.one('Something.') })
  await watch.next('offline')
  project.write({ 'content/one.md': 'No frontmatter.\n' })
  expect((await watch.next('problems')).heldBack).toEqual(['one.md'])
})

test('a rejected key can be fixed in the configuration', async () => {
  const project = openProject({ target: { url: proxy.url, apiKey: 'wrong' } })
  const watch = project.watch()
  expect((await watch.next('offline')).failure.code).toBe('TARGET_REFUSED')
  const { target, name } = project
  project.write({ 'kb.config.ts': configFile({ project: name, target, sync: { settle: '0s' } }) })
  await watch.next('configured')
  expect((await watch.next('ready')).result.summary).toMatchObject({ created: 1 })
})

test('another running kb is waited for', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  const settings = await loadConfig({ cwd: project.root })
  const { lock } = stateFiles(settings.target, settings, workspaceOf(project.root))
  const unlock = takeLock(lock, new Date())
  project.write({ 'content/one.md': project.one('Written while another kb is at work.') })
  expect((await watch.next('offline')).failure.code).toBe('LOCKED')
  unlock()
  await watch.next('online')
  await watch.next('sent')
})

test('a rejected article is reported once, retried, and does not block others', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  proxy.inject(refusal(400, 'No.'), { times: 1000, matches: (method) => method === 'POST' })
  project.write({ 'content/one.md': project.one('Refused.') })
  const { operations } = await watch.next('sent')
  expect(operations).toMatchObject([{ source: 'one.md', outcome: 'failed' }])
  project.write({ 'content/two.md': article('Two', { slug: `${project.name}-two` }) })
  const second = await watch.next('sent')
  expect(second.operations).toMatchObject([{ action: 'create', source: 'two.md', outcome: 'done' }])
  expect(watch.view()?.sync.failures).toMatchObject([{ source: 'one.md', title: 'One' }])
  proxy.clear()
  project.write({ 'content/one.md': project.one('Taken.') })
  await watch.next('sent', (event) => event.operations.every(({ outcome }) => outcome === 'done'))
  expect(await watch.stop()).toMatchObject({ failures: [] })
})

test('an edit made on the target is a conflict, reported once, and again when its file is saved', async () => {
  const project = openProject()
  // An edit within a second after the write of an article looks like the write, so some quiet seconds pass.
  const watch = await startWatching(project, { pauses: PAUSES })
  for (let second = 0; second < 2; second++) {
    project.write({ 'content/notes.txt': 'Time passes.' })
    await watch.settled()
  }
  const remote = (await service.articles()).find(({ slug }) => slug === `${project.name}-one`)
  const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...editable(remote), content: '<p>Edited in the browser.</p>' })
  const path = `/api/v2/articles/${remote?.id ?? ''}`
  expect((await fetch(`${service.url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
  project.write({ 'content/one.md': project.one('Edited in the file.') })
  const { operations } = await watch.next('sent')
  expect(operations).toMatchObject([{ action: 'conflict', source: 'one.md' }])
  project.write({ 'content/two.md': article('Two', { slug: `${project.name}-two` }) })
  expect((await watch.next('sent')).operations).toMatchObject([{ source: 'two.md', outcome: 'done' }])
  project.write({ 'content/one.md': project.one('Edited again.') })
  expect((await watch.next('sent')).operations).toMatchObject([{ action: 'conflict', source: 'one.md' }])
  expect((await watch.stop()).failures).toMatchObject([{ source: 'one.md' }])
})

/** The article in the form of an update. */
function editable(remote: Awaited<ReturnType<BuiltinService['articles']>>[number] | undefined) {
  const { name, slug, excerpt, article_relationships: categories = [] } = remote ?? {}
  return {
    title: name,
    slug,
    excerpt,
    categories: categories.map(({ category_id }) => ({ value: category_id })),
    ordering: 0,
    status: 'published',
  }
}

test('a configuration that is fixed while a target is unreachable takes effect, without a busy loop', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  proxy.inject(AWAY, { times: 1000 })
  project.write({ 'content/one.md': project.one('Written while it is away.') })
  await watch.next('offline')
  const { target, name } = project
  const config = { project: name, target, links: { article: '/help/{slug}' } }
  project.write({
    'kb.config.ts': configFile({
      ...config,
      defaults: { status: 'published' },
      sync: { retries: 0, settle: '0s' },
    }),
  })
  await watch.next('configured')
  await watch.next('offline')
  proxy.clear()
  await watch.next('online')
  await watch.next('settled')
  expect(await watch.stop()).toMatchObject({ pending: 0, isComplete: true })
})

test('while a target does not respond, files are checked, and their problems are reported', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  const seen = proxy.seen.length
  proxy.inject({ kind: 'hold' }, { times: 1 })
  project.write({ 'content/one.md': project.one('In flight.') })
  await proxy.waitForSeen(seen + 1)
  project.write({ 'content/two.md': 'No frontmatter.\n' })
  const { heldBack } = await watch.next('problems')
  expect([heldBack, watch.view()?.sync.state]).toEqual([['two.md'], 'syncing'])
  project.write({ 'content/two.md': article('Two', { slug: `${project.name}-two` }) })
  await watch.next('problems', ({ heldBack: held }) => held.length === 0)
  proxy.release()
  await watch.next('sent', ({ operations }) => operations.some(({ source }) => source === 'two.md'))
  await watch.next('settled')
  expect(await watch.stop()).toMatchObject({ pending: 0, isComplete: true, sent: 3 })
})

test('a watch stopped during the first sync does not claim to be complete', async () => {
  const project = openProject()
  proxy.inject({ kind: 'hold' }, { times: 1000 })
  const watch = project.watch()
  await proxy.waitForSeen(proxy.seen.length + 1)
  const stopped = watch.stop()
  proxy.release()
  proxy.clear()
  expect(await stopped).toMatchObject({ sent: 0, isComplete: false })
})

test('another kb that runs only for a moment is not reported', async () => {
  const project = openProject()
  const watch = await startWatching(project)
  const settings = await loadConfig({ cwd: project.root })
  const { lock } = stateFiles(settings.target, settings, workspaceOf(project.root))
  const unlock = takeLock(lock, new Date())
  project.write({ 'content/one.md': project.one('At the same time.') })
  await watch.next('standing', ({ standing }) => standing.state === 'sending')
  unlock()
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
})

test('a stop while a target does not respond ends the watch, and the next one completes the sync', async () => {
  // Requests in progress are waited for.
  const project = openProject({ sync: { retries: 0, settle: '0s', timeout: '1s' } })
  const watch = await startWatching(project)
  const seen = proxy.seen.length
  proxy.inject({ kind: 'silence' }, { times: 1000 })
  project.write({ 'content/one.md': project.one('Cut off.') })
  await proxy.waitForSeen(seen + 1)
  expect(await watch.stop()).toMatchObject({ pending: 1 })
  proxy.clear()
  const again = project.watch()
  expect((await again.next('ready')).result.summary).toMatchObject({ updated: 1 })
})
