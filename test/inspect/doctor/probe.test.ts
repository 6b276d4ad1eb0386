// The results of a probe for services with any quirks, which leaves nothing behind.
import { expect, onTestFinished, test } from 'vitest'
import { PROBE_TITLE, probeHtml } from '../../../src/inspect/doctor/probe/probe-article.ts'
import { startBuiltinService } from '../../support/builtin-service.ts'
import { refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { createProject } from '../../support/project.ts'
import { type ServiceHabits, startStrictService, type StrictService } from '../../support/strict-service.ts'
import { areaOf, CONTENT, examine, findingOf, snapshot, troubles } from './doctor-project.ts'
import { waitFor } from '../../support/wait-for.ts'

const ALL_WELL = {
  'probe.leftovers': 'ok',
  'probe.create': 'ok',
  'probe.listed': 'ok',
  'probe.comments': 'ok',
  'probe.fields': 'ok',
  'probe.content': 'ok',
  'probe.excerpt': 'ok',
  'probe.slugs': 'ok',
  'probe.update': 'skipped',
  'probe.languages': 'skipped',
  'probe.removed': 'ok',
}

/** A service with a foreign article, and one that only has our title. */
async function startService(habits: ServiceHabits = {}): Promise<StrictService> {
  const service = await startStrictService(habits)
  service.add({ title: 'Theirs', slug: 'theirs', content: '<p>a &amp; b</p>' })
  const token = '0123456789abcdef'.repeat(2)
  service.add({ title: PROBE_TITLE, slug: 'not-a-probe', content: `<p>about the probe token ${token}</p>` })
  service.add({ title: 'About probes', slug: 'kb-sync-probe-explained', content: probeHtml({ token }) })
  return service
}

const HABITS: readonly [string, ServiceHabits, object][] = [
  ['keeps to the letter', {}, {}],
  ['refuses a slug twice with 409', { duplicateSlugs: 'refused-409' }, {}],
  ['refuses a slug twice with 200', { duplicateSlugs: 'refused-200' }, {}],
  ['changes a slug that is taken', { duplicateSlugs: 'suffixed' }, { 'probe.slugs': 'warning' }],
  [
    'keeps the slug of a deleted article',
    { duplicateSlugs: 'refused-409', keepsSlugs: true },
    { 'probe.slugs': 'warning' },
  ],
  [
    'changes a slug that a deleted article has',
    { duplicateSlugs: 'suffixed', keepsSlugs: true },
    { 'probe.slugs': 'warning' },
  ],
  ['strips comments', { stripsComments: true }, { 'probe.comments': 'warning' }],
  ['rewrites HTML', { rewritesHtml: true }, {}],
  ['leaves members out', { isSparse: true }, {}],
  ['has numbers for ids', { numericIds: true }, {}],
  [
    'strips comments and leaves members out',
    { stripsComments: true, isSparse: true },
    { 'probe.comments': 'warning' },
  ],
  ['lists late', { listLag: 4 }, {}],
  ['lists very late', { listLag: 20 }, { 'probe.listed': 'warning' }],
  ['updates in place', { extensions: ['update'] }, { 'probe.update': 'ok' }],
  [
    'knows languages',
    { extensions: ['update', 'languages'], languages: ['en', 'fr'] },
    { 'probe.update': 'ok', 'probe.languages': 'ok' },
  ],
]

test.each(HABITS)('a service that %s', async (_, habits, expected) => {
  const service = await startService(habits)
  const before = service.articles()
  const project = createProject(CONTENT)
  const files = snapshot(project.root)
  const report = await examine(project.root, service.url, { probe: true })
  expect(areaOf(report, 'probe')).toEqual({ ...ALL_WELL, ...expected })
  expect(service.articles()).toEqual(before)
  expect(service.events.filter(({ did }) => did === 'created').length).toBeGreaterThan(2)
  expect(snapshot(project.root)).toEqual(files)
})

test('findings that the probe answers are not unknown', async () => {
  const service = await startService()
  const project = createProject(CONTENT)
  const unknownOf = async (probe: boolean) =>
    (await examine(project.root, service.url, { probe })).findings.flatMap(({ check, status }) =>
      status === 'unknown' ? [check] : [],
    )
  expect(await unknownOf(false)).toEqual(['connection.write', 'target.comments', 'target.slugs'])
  expect(await unknownOf(true)).toEqual([])
})

test('the built-in server', async () => {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const project = createProject(CONTENT)
  const report = await examine(project.root, service.url, { probe: true })
  expect(areaOf(report, 'probe')).toEqual({ ...ALL_WELL, 'probe.update': 'ok', 'probe.languages': 'ok' })
  expect(findingOf(report, 'probe.content')).toBe('ok: the HTML is stored byte for byte')
  expect(await service.articles()).toEqual([])
})

test('a service that does not count in characters', async () => {
  const service = await startService({
    refuses: ({ excerpt }) => (excerpt.length > 160 ? 'excerpt too long' : undefined),
  })
  const before = service.articles()
  const report = await examine(createProject(CONTENT).root, service.url, { probe: true })
  expect(areaOf(report, 'probe')).toEqual({ ...ALL_WELL, 'probe.excerpt': 'warning' })
  expect(service.articles()).toEqual(before)
})

test('a service that changes fields and text', async () => {
  const service = await startService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const isPut = (method: string) => method === 'PUT'
  proxy.inject({ kind: 'hold' }, { matches: isPut })
  const running = examine(createProject(CONTENT).root, proxy.url, { probe: true })
  await waitFor(() => expect(service.articles()).toHaveLength(4))
  const [made] = service.articles().slice(-1)
  const content = made?.content.replace('First', 'Last')
  service.edit(made?.slug ?? '', { order: 3, status: 'published', content: content ?? '', excerpt: 'short' })
  proxy.release()
  const report = await running
  expect(areaOf(report, 'probe')).toEqual({
    ...ALL_WELL,
    'probe.fields': 'warning',
    'probe.content': 'warning',
    'probe.excerpt': 'warning',
  })
  expect(findingOf(report, 'probe.fields')).toBe(
    'warning: Some fields are stored differently: order (sent "0", read "3"), status (sent "draft", read "published").',
  )
  expect(service.articles()).toHaveLength(3)
})

test('a read-only key is a finding', async () => {
  const service = await startService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  proxy.inject(refusal(403, 'This key may only read.'), { times: 100, matches: (method) => method === 'PUT' })
  const report = await examine(createProject(CONTENT).root, proxy.url, { probe: true })
  expect(areaOf(report, 'probe')).toEqual({
    'probe.leftovers': 'ok',
    'probe.create': 'error',
    'probe.removed': 'ok',
  })
  expect(findingOf(report, 'probe.create')).toBe(
    'error: The target refused to create an article (403): This key may only read.',
  )
  expect(troubles(report)['exit']).toBe(1)
})

test('a service without categories cannot be tested', async () => {
  const proxy = await startFaultProxy((await startService()).url)
  onTestFinished(() => proxy.close())
  const body = JSON.stringify({ success: true, message: '', data: [], languages: ['en'], limit: 10 })
  const headers = { 'content-type': 'application/json' }
  proxy.inject(
    { kind: 'answer', status: 200, headers, body },
    { times: 9, matches: (_, path) => path.endsWith('/categories') },
  )
  const report = await examine(createProject(CONTENT).root, proxy.url, { probe: true })
  expect(areaOf(report, 'probe')).toEqual({
    'probe.leftovers': 'ok',
    'probe.create': 'skipped',
    'probe.removed': 'ok',
  })
})

test('a draft that cannot be removed is named', async () => {
  const service = await startService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  proxy.inject(refusal(403, 'Not yours.'), { times: 100, matches: (method) => method === 'DELETE' })
  const project = createProject(CONTENT)
  const report = await examine(project.root, proxy.url, { probe: true })
  const left = service.articles().slice(3)
  expect(left).toHaveLength(2)
  expect(report.findings.filter(({ check }) => check === 'probe.removed')).toEqual(
    left
      .toReversed()
      .map(({ id, slug }) => ({
        check: 'probe.removed',
        status: 'error',
        message: `A hidden draft "${PROBE_TITLE}" could not be removed from the target: ${id}, with the slug ${slug}: Not yours.`,
        hint: 'Run kb doctor --probe again, which also tries to remove it, or delete it in the web interface of the service, if it has one.',
      })),
  )
  expect(left.map(({ status, hideFromSearch, tagIds }) => ({ status, hideFromSearch, tagIds }))).toEqual(
    left.map(() => ({ status: 'draft', hideFromSearch: true, tagIds: [] })),
  )
  proxy.clear()
  const next = await examine(project.root, proxy.url, { probe: true })
  expect(findingOf(next, 'probe.leftovers')).toBe('ok: 2 articles of an earlier probe removed')
  expect(service.articles()).toHaveLength(3)
})

test('leftovers that a list shows late are removed, too', async () => {
  const service = await startService({ stripsComments: true })
  const before = service.articles()
  const project = createProject(CONTENT)
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  proxy.inject(refusal(403, 'No.'), { times: 100, matches: (method) => method === 'DELETE' })
  await examine(project.root, proxy.url, { probe: true })
  proxy.clear()
  expect(service.articles().length).toBe(before.length + 2)
  // The lists of the next probe show its leftovers only when its own draft is listed.
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ success: true, data: [] })
  const isList = (_: string, path: string) => path.includes('/tools/')
  proxy.inject({ kind: 'answer', status: 200, headers, body }, { times: 3, matches: isList })
  const report = await examine(project.root, proxy.url, { probe: true })
  expect(findingOf(report, 'probe.leftovers')).toBe('ok: no articles of an earlier probe are left')
  expect(service.articles()).toEqual(before)
})
