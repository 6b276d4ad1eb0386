// Files are uploaded before the articles that use them, to a target that stores files.
import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { runCheck } from '../../src/inspect/check/run-check.ts'
import type { SyncStage } from '../../src/sync/sync-options.ts'
import { refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { pngOf } from '../support/images.ts'
import { createMemoryCheckout } from '../support/memory-project.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { article, configFile, createProject } from '../support/project.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { syncInProcess } from '../support/sync-in-process.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const ASSETS = { assets: { inlineUnder: '1kB' } } as const
const nameOf = (bytes: Buffer | string, type: string) =>
  `${createHash('sha256').update(bytes).digest('hex')}.${type}`

const BIG = pngOf(300_000)

async function startProject(habits: ServiceHabits = {}) {
  const service = await startStrictService({ extensions: ['update', 'ids', 'batch', 'files'], ...habits })
  const project = createSyncProject(
    service.url,
    {
      'content/one.md': article('One', { body: 'Text\n\n![Big](img/big.png) and [prices](prices.pdf)' }),
      'content/two.md': article('Two', { body: '![Big](img/big.png)' }),
      'content/three.md': article('Three', { body: 'Text' }),
      'content/prices.pdf': '%PDF-1.7',
    },
    ASSETS,
  )
  project.write({ 'content/img/big.png': BIG })
  return { service, project }
}

test('a sync uploads missing files, once, and a second one sends nothing', async () => {
  const { service, project } = await startProject()
  const planned = await project.plan()
  expect(planned.files).toEqual({ uploaded: 2, bytes: BIG.length + 8 })
  expect(service.files.size).toBe(0)
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ created: 3 })
  expect(result.files).toEqual({ uploaded: 2, bytes: BIG.length + 8 })
  expect([...service.files.keys()].toSorted()).toEqual(
    [nameOf(BIG, 'png'), nameOf('%PDF-1.7', 'pdf')].toSorted(),
  )
  expect(service.articleAt('two').content).toContain(`src="/files/${nameOf(BIG, 'png')}"`)
  const uploads = service.requests.filter((each) => each.includes('/files/'))
  const lastUpload = service.requests.findLastIndex((each) => each.startsWith('PUT /api/v2/files/'))
  expect(uploads).toHaveLength(4)
  expect(service.requests.findIndex((each) => each === 'POST /api/v2/articles')).toBeGreaterThan(lastUpload)
  service.forget()
  const again = await project.sync()
  expect(outcomeOf(again)).toEqual({ unchanged: 3 })
  expect(again.files).toBeUndefined()
  expect(service.requests.filter((each) => each.includes('/files'))).toEqual([])
})

test('a changed image is uploaded, and updates only its articles', async () => {
  const { service, project } = await startProject()
  await project.sync()
  const changed = pngOf(300_001)
  project.write({ 'content/img/big.png': changed })
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ updated: 2, unchanged: 1 })
  expect(result.files).toEqual({ uploaded: 1, bytes: changed.length })
  expect(service.articleAt('one').content).toContain(nameOf(changed, 'png'))
})

test('a rejected upload fails the articles that use the file', async () => {
  const { service, project } = await startProject({
    refusesFile: (name) => (name.endsWith('.pdf') ? 'This is no PDF' : undefined),
  })
  const result = await project.sync()
  expect(outcomeOf(result)).toEqual({
    created: 2,
    failed: 1,
    operations: [
      'create three.md done',
      'create two.md done',
      'create one.md failed: the file "prices.pdf" (one.md:8) was not uploaded: the target refused it: This is no PDF',
    ].toSorted(),
  })
  expect(service.files.size).toBe(1)
})

test('a target that rejects all uploads for now ends the run', async () => {
  const service = await startStrictService({ extensions: ['files'] })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const names = Array.from({ length: 20 }, (_, index) => `page-${index + 1}`)
  const pages = names.map((name) => [`content/${name}.md`, article(name, { body: `[${name}](${name}.pdf)` })])
  const project = createSyncProject(proxy.url, Object.fromEntries(pages) as Record<string, string>, ASSETS)
  project.write(Object.fromEntries(names.map((name) => [`content/${name}.pdf`, `%PDF-1.7 ${name}`])))
  const isUpload = (_: string, path: string) =>
    path.startsWith('/api/v2/files/') && !path.endsWith('/missing')
  proxy.inject(refusal(429, 'Quota', { 'retry-after': '60' }), { times: Infinity, matches: isUpload })
  const client = { retries: 2, sleep: () => Promise.resolve() }
  const result = await project.sync({ client })
  expect(outcomeOf(result)).toMatchObject({ failed: 1, skipped: 19, failure: 'TARGET_FAILED' })
  proxy.clear()
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ created: 20 })
})

test('a file larger than the target accepts is not sent', async () => {
  const { service, project } = await startProject()
  project.write({ 'content/prices.pdf': Buffer.alloc(2_000_000) })
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({
    created: 2,
    failed: 1,
    operations: expect.arrayContaining([
      'create one.md failed: the file "prices.pdf" (one.md:8) was not uploaded: it has 2.0 MB, and the target takes files of up to 1.0 MB; make it smaller',
    ]) as string[],
  })
  expect(service.requests.filter((each) => each.startsWith('PUT /api/v2/files'))).toHaveLength(1)
})

test.each([
  ['longer', pngOf(300_001)],
  ['different', Buffer.concat([pngOf(299_999), Buffer.from('x')])],
])('a file that is %s than when the content was read is not stored', async (_, changed) => {
  const { service, project } = await startProject()
  const result = await project.sync({
    onStage: (stage) => {
      if (stage === 'send') project.write({ 'content/img/big.png': changed })
    },
  })
  const reason = 'was not uploaded: it was changed during the run; run again'
  expect(outcomeOf(result)).toMatchObject({
    created: 1,
    failed: 2,
    operations: expect.arrayContaining([
      `create two.md failed: the file "img/big.png" (two.md:6) ${reason}`,
    ]) as string[],
  })
  expect([...service.files.keys()]).toEqual([nameOf('%PDF-1.7', 'pdf')])
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2, unchanged: 1 })
  expect(service.files.has(nameOf(changed, 'png'))).toBe(true)
})

test('a target without the extension has the same errors as before', async () => {
  const { service, project } = await startProject({ extensions: ['update'] })
  const result = await project.sync()
  expect(result.diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'content/one.md:8 asset-too-large',
    'content/one.md:8 link-not-article',
    'content/two.md:6 asset-too-large',
  ])
  expect(service.requests.every((each) => each.startsWith('OPTIONS'))).toBe(true)
})

test('with --verify, a file that is missing on the target is uploaded again', async () => {
  let isRefused = false
  const { service, project } = await startProject({
    refusesFile: () => (isRefused ? 'Out of space' : undefined),
  })
  await project.sync()
  service.files.delete(nameOf(BIG, 'png'))
  expect((await project.sync()).files).toBeUndefined()
  isRefused = true
  const reason = 'was not uploaded: the target refused it: Out of space'
  expect(outcomeOf(await project.sync({ verify: true }))).toMatchObject({
    failed: 2,
    operations: [
      `update one.md failed: the file "img/big.png" (one.md:8) ${reason}`,
      `update two.md failed: the file "img/big.png" (two.md:6) ${reason}`,
    ],
  })
  isRefused = false
  const upload = { uploaded: 1, bytes: BIG.length }
  expect(await project.plan({ verify: true })).toMatchObject({ operations: [], files: upload })
  expect(await project.sync({ verify: true })).toMatchObject({ operations: [], files: upload })
  expect(await project.sync({ verify: true })).toMatchObject({ files: { uploaded: 0, bytes: 0 } })
})

test('an article that was deleted on the target is created again with its file', async () => {
  const { service, project } = await startProject()
  await project.sync()
  service.drop('two')
  service.files.delete(nameOf(BIG, 'png'))
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ created: 1, unchanged: 2 })
  expect(result.files).toEqual({ uploaded: 1, bytes: BIG.length })
})

test('a file of a description is uploaded before the description is sent', async () => {
  const service = await startStrictService({
    extensions: ['files'],
    refusesFile: (name) => (name.endsWith('.pdf') ? 'This is no PDF' : undefined),
  })
  const describe = (text: string) => ({
    'content/_categories.yml': `- name: Guides\n  slug: guides\n  longDescription: '${text}'\n`,
  })
  const project = createSyncProject(
    service.url,
    { 'content/one.md': article('One'), 'content/p.pdf': 'p', ...describe('[p](p.pdf)') },
    { ...ASSETS, sync: { taxonomy: 'update' } },
  )
  project.write({ 'content/big.png': BIG })
  const problem = (await project.sync()).diagnostics.find(({ severity }) => severity === 'error')
  expect(problem).toMatchObject({
    severity: 'error',
    file: 'content/_categories.yml',
    message:
      'A description cannot be sent: the file "p.pdf" (_categories.yml) was not uploaded: the target refused it: This is no PDF.',
  })
  expect(service.articles()).toEqual([])
  project.write(describe('![b](big.png)'))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  expect([...service.files.keys()]).toEqual([nameOf(BIG, 'png')])
})

test('the images of a category are uploaded, and it has their URLs', async () => {
  const service = await startStrictService({ extensions: ['files'] })
  const files = { 'content/_categories.yml': '- name: Guides\n  slug: guides\n  iconUrl: img/icon.png\n' }
  const project = createSyncProject(
    service.url,
    { ...files, 'content/one.md': article('One') },
    { ...ASSETS, sync: { taxonomy: 'update' } },
  )
  project.write({ 'content/img/icon.png': BIG })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  expect([...service.files.keys()]).toEqual([nameOf(BIG, 'png')])
  const changed = pngOf(900)
  project.write({ 'content/img/icon.png': changed })
  const { taxonomy } = await project.sync()
  expect(taxonomy).toMatchObject({ updated: 1 })
  expect([...service.files.keys()]).toEqual([nameOf(BIG, 'png'), nameOf(changed, 'png')])
})

test('a check uses what the last run learned', async () => {
  const { service, project } = await startProject()
  const check = async () =>
    (await runCheck({ settings: project.settings })).diagnostics.map(
      ({ severity, file, code }) => `${severity} ${file} ${code}`,
    )
  const uses = ['one', 'one', 'two'].map((name) => `warning content/${name}.md asset-unconfirmed`)
  expect(await check()).toEqual(uses)
  await project.sync()
  expect(await check()).toEqual([])
  expect(service.requests.length).toBeGreaterThan(0)
})

test('a run is killed at any request, and the next one completes it', async () => {
  const habits = { extensions: ['update', 'ids', 'files'] } as const
  const files = { 'content/one.md': article('One', { body: '[p](p.pdf) [q](q.pdf)' }) }
  for (let moment = 2; moment < 9; moment++) {
    for (const mishap of ['killed-before', 'killed-after', 'cut-after'] as const) {
      const service = createMemoryService(habits)
      const checkout = createMemoryCheckout(service, files, ASSETS)
      checkout.write({ 'content/p.pdf': 'p', 'content/q.pdf': 'q' })
      const send = service.connect(new Map([[moment, mishap]]))
      await checkout.sync({ client: { send } }).catch(() => undefined)
      await checkout.sync()
      expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 1 })
      expect([...service.files.keys()].toSorted()).toEqual(
        [nameOf('p', 'pdf'), nameOf('q', 'pdf')].toSorted(),
      )
    }
  }
})

/** `isShort`: only the edited articles were read; `isIdle`: the target was not even opened. */
async function syncBuiltin(root: string) {
  const stages = new Set<SyncStage>()
  const result = await syncInProcess(root, { onStage: (stage) => stages.add(stage) })
  const isIdle = !stages.has('connect')
  return { ...outcomeOf(result), files: result.files, isIdle, isShort: !isIdle && !stages.has('link') }
}

test('the built-in server has the files, and a changed one updates its articles', async () => {
  const written = (text: string) => ({
    'content/one.md': article('One', { body: `${text} ![Big](img/big.png)` }),
  })
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/_categories.yml': '- { name: Guides, slug: guides }\n',
    'content/two.md': article('Two', { body: 'Text' }),
    ...written('Text'),
  })
  project.write({ 'content/img/big.png': BIG })
  expect(await syncBuiltin(project.root)).toMatchObject({
    created: 2,
    files: { uploaded: 1, bytes: BIG.length },
  })
  expect(await syncBuiltin(project.root)).toMatchObject({ unchanged: 2, files: undefined, isIdle: true })
  project.write(written('Other text'))
  expect(await syncBuiltin(project.root)).toMatchObject({
    updated: 1,
    unchanged: 1,
    files: { uploaded: 0 },
    isShort: true,
  })
  project.write({ 'content/img/big.png': pngOf(300_001) })
  expect(await syncBuiltin(project.root)).toMatchObject({
    updated: 1,
    unchanged: 1,
    files: { uploaded: 1, bytes: 300_001 },
  })
  project.write({ 'content/other.pdf': '%PDF-1.7\n', ...written('[PDF](other.pdf)') })
  expect(await syncBuiltin(project.root)).toMatchObject({ updated: 1, files: { uploaded: 1, bytes: 9 } })
})
