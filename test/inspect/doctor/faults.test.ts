// Faults between kb-sync and the target, and how far the doctor gets.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { SELF_SIGNED } from '../../api/client/self-signed.ts'
import {
  closedAddress,
  type Fault,
  redirectTo,
  refusal,
  startFaultProxy,
  startTunnelProxy,
} from '../../support/fault-proxy.ts'
import { createProject } from '../../support/project.ts'
import { SERVICE_KEY, startStrictService } from '../../support/strict-service.ts'
import { areaOf, CONTENT, examine, findingOf, snapshot, troubles } from './doctor-project.ts'

const NOT_ASKED = {
  'connection.write': 'skipped',
  'connection.clock': 'skipped',
  'target.known': 'skipped',
  'target.limit': 'skipped',
  'target.update': 'skipped',
  'target.languages': 'skipped',
  'target.comments': 'skipped',
  'target.slugs': 'skipped',
  'target.categories': 'skipped',
  'target.tags': 'skipped',
}

async function startProxy() {
  const service = await startStrictService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy }
}

const html = (status: number): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html' },
  body: '<title>Wiki</title>',
})

const json = (body: object, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

test.each<readonly [string, Fault, string, string]>([
  [
    'cut',
    { kind: 'cut-before' },
    'TARGET_UNREACHABLE',
    'did not answer after 2 tries: the connection was lost',
  ],
  ['refused', refusal(401, 'Unknown key'), 'TARGET_REFUSED', 'refused GET /api/v2/'],
  [
    'redirected',
    redirectTo('https://elsewhere.example/'),
    'TARGET_REDIRECTED',
    'to https://elsewhere.example/',
  ],
  ['answered by a web page', html(200), 'TARGET_ANSWER_INVALID', 'with a web page, "Wiki"'],
  ['answered by a proxy in trouble', html(502), 'TARGET_FAILED', '502 Bad Gateway, with a web page, "Wiki"'],
  ['busy', refusal(503, 'Later', { 'retry-after': '0' }), 'TARGET_FAILED', '503'],
  [
    'answered in another shape',
    json({ success: true, data: 1 }),
    'TARGET_ANSWER_INVALID',
    'have the wrong type: data',
  ],
  ['answered with success: false', json({ success: false, message: 'No.' }), 'TARGET_FAILED', 'No.'],
])('a target that is %s', async (_, fault, code, words) => {
  const { proxy, service } = await startProxy()
  proxy.inject(fault, { times: 1000 })
  const project = createProject(CONTENT)
  const before = snapshot(project.root)
  for (const probe of [false, true]) {
    const report = await examine(project.root, proxy.url, { probe })
    expect(troubles(report)).toEqual({
      ...NOT_ASKED,
      'workspace.ignored': 'skipped',
      'connection.answer': 'error',
      ...(probe && { 'probe.run': 'skipped' }),
      exit: 3,
    })
    const finding = report.findings.find(({ check }) => check === 'connection.answer')
    expect([finding?.code, finding?.message, finding?.hint]).toEqual([
      code,
      expect.stringContaining(words),
      expect.stringMatching(/./),
    ])
  }
  expect(service.requests.filter((request) => !/^(GET|OPTIONS) /.test(request))).toEqual([])
  expect(snapshot(project.root)).toEqual(before)
})

test('the connection was refused', async () => {
  const report = await examine(createProject(CONTENT).root, await closedAddress())
  expect(findingOf(report, 'connection.answer')).toContain('the connection was refused (ECONNREFUSED)')
  expect(areaOf(report, 'files')).toEqual({ 'files.content': 'ok', 'files.problems': 'ok' })
})

test('an untrusted certificate', async () => {
  const server = createServer(SELF_SIGNED)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const report = await examine(createProject(CONTENT).root, `https://127.0.0.1:${port}`)
  expect(report.findings.find(({ check }) => check === 'connection.answer')).toMatchObject({
    message: expect.stringContaining('its certificate is self-signed') as unknown,
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
    code: 'TARGET_UNREACHABLE',
  })
})

test('a temporary fault is no problem', async () => {
  const { proxy } = await startProxy()
  proxy.inject({ kind: 'cut-before' }, { times: 2 })
  expect(troubles(await examine(createProject(CONTENT).root, proxy.url))['exit']).toBe(0)
})

test('a target that answers slowly', async () => {
  const { proxy } = await startProxy()
  let ms = Date.now()
  // Each read of the clock is four seconds later.
  const now = () => new Date((ms += 4000))
  const report = await examine(createProject(CONTENT).root, proxy.url, { now })
  expect(findingOf(report, 'connection.answer')).toMatch(
    /^warning: .* accepts the key and sent both lists in 4000 ms, which is slow\.$/,
  )
})

test.each([
  [-3_600_000, "warning: The target's clock is 1 hour behind the one here."],
  [130_000, "warning: The target's clock is 2 minutes ahead of the one here."],
  [30_000, 'ok: the clocks agree'],
])('a clock that is off by %i ms', async (offsetMs, words) => {
  const { proxy, service } = await startProxy()
  const headers = { date: new Date(Date.now() + offsetMs).toUTCString() }
  const categories = { id: 'c', name: 'Guides' }
  const answer = json({ success: true, data: [categories], languages: ['en'], limit: 10 }, headers)
  proxy.inject(answer, { times: 100, matches: (_, path) => /categories|review_dates/.test(path) })
  const report = await examine(createProject(CONTENT).root, proxy.url)
  expect(findingOf(report, 'connection.clock')?.startsWith(words)).toBe(true)
  expect(service.requests.length).toBeGreaterThan(0)
})

test('a proxy is named, without its password', async () => {
  const { service } = await startProxy()
  const proxy = await startTunnelProxy(service.url)
  onTestFinished(() => proxy.close())
  const env = {
    KB_URL: 'http://kb.example',
    KB_API_KEY: SERVICE_KEY,
    KB_ALLOW_HTTP: 'kb.example',
    HTTP_PROXY: proxy.url.replace('//', '//me:secret@'),
  }
  const report = await examine(createProject(CONTENT).root, '', { env })
  expect(findingOf(report, 'connection.proxy')).toBe(
    `ok: requests go through the proxy ${new URL(proxy.url).host}, unless NO_PROXY names the host`,
  )
  expect(findingOf(report, 'configuration.target')).toMatch(/^warning: .* is sent unencrypted/)
  expect(JSON.stringify(report)).not.toMatch(/secret|key-of-the-service/)
})
