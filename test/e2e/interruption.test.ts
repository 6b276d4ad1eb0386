// Runs that are stopped in the middle, and runs that meet: nothing is lost, nothing is doubled.
import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile, createProject, manyArticles } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'

/** Several times what is in flight at once, so that runs are stopped in the middle. */
const COUNT = 40
/** By then more than half of them are there. */
const MIDDLE = 26
const SLUGS = Array.from({ length: COUNT }, (_, index) => `page-${index}`).toSorted()
const CONFIG = { 'kb.config.ts': configFile({ project: 'demo' }) }

/** A project of many articles whose remote target lies behind a proxy. */
async function startBehindProxy() {
  const service = await startStrictService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createProject({ ...CONFIG, ...manyArticles(COUNT) })
  const env = { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY }
  return { service, proxy, project, env }
}

const isPut = (method: string) => method === 'PUT'

test('Ctrl-C finishes what is in flight; the next run does the rest', async () => {
  const { service, proxy, project, env } = await startBehindProxy()
  proxy.inject(
    { kind: 'hold' },
    { times: 1000, matches: (method) => method === 'PUT' && proxy.seen.length > MIDDLE },
  )
  const running = project.start(['sync', '--json'], { env })
  await proxy.waitForSeen(MIDDLE + 4)
  running.process.kill('SIGINT')
  proxy.clear()
  proxy.release()
  const { code, json, stderr } = await running.ended
  const { summary } = json as { summary: { created: number; failed: number; skipped: number } }
  expect([code, json]).toMatchObject([1, { error: { code: 'INTERRUPTED' } }])
  expect([summary.created + summary.skipped, summary.failed]).toEqual([COUNT, 0])
  expect(service.articles().length).toBeLessThan(COUNT)
  expect(stderr).toContain('Stopping: finishing the requests in progress.')
  expect(lockFiles(project.root)).toEqual([])

  const next = await project.run(['sync', '--json'], { env })
  expect([next.code, next.json]).toMatchObject([0, { summary: { failed: 0 } }])
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(SLUGS)
  const last = await project.run(['sync', '--json'], { env })
  expect(last.json).toMatchObject({ summary: { unchanged: COUNT }, operations: [] })
})

test('a run that is killed is finished by the next one', async () => {
  const { service, proxy, project, env } = await startBehindProxy()
  const running = project.start(['sync'], { env })
  await proxy.waitForSeen(MIDDLE)
  running.process.kill('SIGKILL')
  expect((await running.ended).code).toBeNull()
  expect(lockFiles(project.root)).toHaveLength(1)

  expect((await project.run(['sync'], { env })).code).toBe(0)
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(SLUGS)
  const last = await project.run(['sync', '--json'], { env })
  expect(last.json).toMatchObject({ summary: { unchanged: COUNT }, operations: [] })
})

test('a replacing run that is killed leaves no double', async () => {
  const { service, proxy, project, env } = await startBehindProxy()
  expect((await project.run(['sync'], { env })).code).toBe(0)
  const edited = Array.from({ length: 20 }, (_, index) => [
    `content/page-${index}.md`,
    article(`Page ${index}`, { slug: index < 10 ? undefined : `new-${index}`, body: 'Edited.' }),
  ])
  project.write(Object.fromEntries(edited))
  proxy.inject({ kind: 'silence' }, { times: 1000, matches: (method) => method === 'DELETE' })
  const running = project.start(['sync'], { env })
  while (!proxy.seen.some(({ fault }) => fault === 'silence')) await proxy.waitForSeen(proxy.seen.length + 1)
  running.process.kill('SIGKILL')
  await running.ended
  proxy.clear()
  expect(service.articles()).toHaveLength(COUNT + 20)

  expect((await project.run(['sync'], { env })).code).toBe(0)
  const wanted = SLUGS.map((slug) => {
    const number = Number(slug.slice(5))
    return number >= 10 && number < 20 ? `new-${number}` : slug
  })
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(wanted.toSorted())
  const last = await project.run(['sync', '--json'], { env })
  expect(last.json).toMatchObject({ summary: { unchanged: COUNT }, operations: [] })
})

test('a killed run on the built-in server is finished by the next one', async () => {
  const project = createProject({
    ...CONFIG,
    ...manyArticles(COUNT),
    'content/_categories.yml': '- name: Guides\n',
  })
  const running = project.start(['sync'])
  await new Promise<void>((resolve) => {
    running.process.stderr?.on('data', (text: string) => {
      if (text.includes('Sending')) resolve()
    })
  })
  running.process.kill('SIGKILL')
  expect((await running.ended).code).toBeNull()
  expect((await project.kb('sync')).code).toBe(0)
  expect([...(await builtinArticles(project)).keys()]).toEqual(SLUGS)
  expect((await project.kb('sync', '--json')).json).toMatchObject({
    summary: { unchanged: COUNT },
    requests: {},
  })
})

test('a second run at the same time is refused', async () => {
  const { service, proxy, project, env } = await startBehindProxy()
  proxy.inject({ kind: 'hold' }, { matches: isPut })
  const first = project.start(['sync', '--json'], { env })
  await proxy.waitForSeen(4)
  const second = await project.run(['sync', '--json'], { env })
  expect([second.code, second.json]).toMatchObject([1, { error: { code: 'LOCKED' } }])
  proxy.release()
  expect((await first.ended).code).toBe(0)
  expect(service.articles()).toHaveLength(COUNT)
})

test('two runs that start together make no doubles', async () => {
  const project = createProject({
    ...CONFIG,
    ...manyArticles(20),
    'content/_categories.yml': '- name: Guides\n',
  })
  const runs = await Promise.all([project.kb('sync', '--json'), project.kb('sync', '--json')])
  const endings = runs.map(({ code, json }) => {
    const { summary, error } = json as { summary?: { failed: number }; error?: { code: string } }
    return `${code} ${error?.code ?? `${summary?.failed} failed`}`
  })
  expect(['0 0 failed', '1 LOCKED']).toEqual(expect.arrayContaining(endings))
  expect(endings).toContain('0 0 failed')
  expect((await builtinArticles(project)).size).toBe(20)
})

function lockFiles(root: string): string[] {
  const folder = `${root}/.kb/state`
  return readdirSync(folder).filter((name) => name.endsWith('.lock') && existsSync(`${folder}/${name}`))
}
