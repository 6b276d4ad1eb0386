// kb doctor as it is built: exit codes, the document, Ctrl-C and a kill in the middle of a probe.
import { expect, onTestFinished, test } from 'vitest'
import { snapshot } from '../inspect/doctor/doctor-project.ts'
import { refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile, createProject, type Ended, type Files } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
}

interface Report {
  readonly target: string | null
  readonly summary: Readonly<Record<string, number>>
  readonly findings: readonly { readonly check: string; readonly status: string; readonly message: string }[]
  readonly error?: { readonly code: string }
}

const reportOf = ({ json }: Ended) => json as Report

const errorsOf = (ended: Ended) =>
  reportOf(ended).findings.flatMap(({ check, status }) => (status === 'error' ? [check] : []))

async function startBehindProxy() {
  const service = await startStrictService({ extensions: ['update'] })
  service.add({ title: 'Theirs', slug: 'theirs' })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy, before: service.articles(), env: { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY } }
}

test('the exit code is that of the worst finding, and no file is changed', async () => {
  const { proxy, env } = await startBehindProxy()
  const project = createProject(FILES)
  const run = async (args: readonly string[], options = {}) => {
    const before = snapshot(project.root)
    const ended = await project.run(['doctor', '--json', ...args], options)
    expect(snapshot(project.root)).toEqual(before)
    return { code: ended.code, errors: errorsOf(ended), error: reportOf(ended).error?.code }
  }
  expect(await run([])).toEqual({ code: 0, errors: [], error: undefined })
  expect(await run([], { env })).toEqual({ code: 0, errors: [], error: undefined })
  expect(await run(['--target', 'nope'])).toEqual({
    code: 2,
    errors: ['configuration.target'],
    error: 'TARGET_UNKNOWN',
  })
  proxy.inject(refusal(401, 'No.'), { times: 100 })
  expect(await run([], { env })).toEqual({ code: 3, errors: ['connection.answer'], error: 'TARGET_REFUSED' })
  project.write({ 'content/second.md': 'no frontmatter' })
  expect(await run([])).toEqual({ code: 1, errors: ['files.problems'], error: undefined })
  project.write({ 'kb.config.ts': 'export default {' })
  expect(await run([])).toMatchObject({ code: 2, errors: ['configuration.file'], error: 'CONFIG_UNREADABLE' })
})

test('a project that is synced is in order and stays as it is', async () => {
  const project = createProject(FILES)
  // A process closes its databases when it ends, at the latest.
  expect((await project.start(['sync']).ended).code).toBe(0)
  const before = snapshot(project.root)
  const { code, stdout, stderr } = await project.kb('doctor')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/\nNo problems found\.\n$/)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect((await project.kb('doctor', '--quiet')).stdout).toBe('')
  expect(snapshot(project.root)).toEqual(before)
})

test('a probe of the built-in server leaves its articles as they were', async () => {
  const project = createProject(FILES)
  const early = await project.kb('doctor', '--probe', '--json')
  expect([early.code, reportOf(early).findings.at(-1)?.status]).toEqual([0, 'skipped'])
  expect((await project.kb('sync')).code).toBe(0)
  const before = await builtinArticles(project)
  const ended = await project.kb('doctor', '--probe', '--json')
  expect([ended.code, errorsOf(ended)]).toEqual([0, []])
  expect(reportOf(ended).findings.at(-1)).toEqual({
    check: 'probe.removed',
    status: 'ok',
    message: '1 article created, and removed again',
  })
  expect(await builtinArticles(project)).toEqual(before)
  expect((await project.kb('sync', '--json')).json).toMatchObject({
    summary: { unchanged: 1 },
    operations: [],
  })
})

test('Ctrl-C in the middle of a probe removes what was made', async () => {
  const { service, proxy, before, env } = await startBehindProxy()
  const running = createProject(FILES).start(['doctor', '--probe', '--json'], { env })
  proxy.inject({ kind: 'hold' }, { matches: (method) => method === 'PUT' })
  await seen(proxy, 'PUT')
  running.process.kill('SIGINT')
  await new Promise((resolve) => running.process.stderr?.once('data', resolve))
  proxy.release()
  const ended = await running.ended
  expect([ended.code, reportOf(ended).error?.code]).toEqual([1, 'INTERRUPTED'])
  expect(ended.stderr).toContain('Stopping: finishing the requests in progress.')
  expect(service.articles()).toEqual(before)
})

test('what a killed probe leaves behind is removed by the next one', async () => {
  const { service, proxy, before, env } = await startBehindProxy()
  const project = createProject(FILES)
  proxy.inject({ kind: 'silence' }, { matches: (method) => method === 'POST' })
  const running = project.start(['doctor', '--probe'], { env })
  await seen(proxy, 'POST')
  running.process.kill('SIGKILL')
  await running.ended
  expect(service.articles().length).toBe(before.length + 1)
  const ended = await project.run(['doctor', '--probe', '--json'], { env })
  expect(reportOf(ended).findings).toContainEqual({
    check: 'probe.leftovers',
    status: 'ok',
    message: '1 article of an earlier probe removed',
  })
  expect(service.articles()).toEqual(before)
})

/** Resolves once a request with this method has come. */
async function seen(proxy: Awaited<ReturnType<typeof startFaultProxy>>, method: string): Promise<void> {
  for (let count = 1; proxy.seen.every((request) => request.method !== method); count++)
    await proxy.waitForSeen(count)
}
