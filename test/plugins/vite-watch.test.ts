// `vite build --watch`: every rebuild is a separate build.
import { build } from 'vite'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { kb } from '../../src/plugins/vite.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile } from '../support/project.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'
import { createViteProject } from '../support/vite-project.ts'
import { waitFor } from '../support/wait-for.ts'

interface Watcher {
  readonly on: (name: 'event', listener: (event: { readonly code: string }) => void) => unknown
  readonly close: () => Promise<void>
}

beforeEach(() => () => vi.unstubAllEnvs())

async function watch(url: string) {
  vi.stubEnv('KB_URL', url)
  vi.stubEnv('KB_API_KEY', SERVICE_KEY)
  vi.stubEnv('KB_SYNC', '1')
  const site = createViteProject()
  const watcher = (await build(site.config(kb({ sync: 'build' }), { build: { watch: {} } }))) as Watcher
  onTestFinished(() => watcher.close())
  const said = (text: string) => waitFor(() => expect(site.logged.join('\n')).toContain(text))
  return { site, said }
}

test('every rebuild checks and sends saved files, and continues after a failed one', async () => {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const { site, said } = await watch(service.url)

  await said('2 created, 0 changed, 0 deleted, 0 unchanged')
  site.write({ 'content/first.md': article('Renamed', { slug: 'first' }) })
  await said('0 created, 1 changed, 0 deleted, 1 unchanged')
  site.write({ 'content/second.md': article('Second', { status: 'public' }) })
  await said('status must be draft or published. [frontmatter-value]')
  site.write({ 'content/second.md': article('Mended', { slug: 'second' }) })
  await waitFor(() => expect(site.logged.filter((line) => line.includes('1 changed'))).toHaveLength(2))
  site.write({ 'content/third.md': article('Third') })
  await said('1 created, 0 changed, 0 deleted, 2 unchanged')
  site.write({
    'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published', reviewAfter: 'soon' } }),
  })
  await said('kb.config.ts has an error:')
  site.write({ 'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published', order: 3 } }) })
  await said('0 created, 3 changed, 0 deleted, 0 unchanged')
})

test('a rebuild that ends during the sync of the last one syncs after it, and both are reported', async () => {
  const service = await startBuiltinService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(async () => {
    await proxy.close()
    await service.close()
  })
  proxy.inject({ kind: 'hold' }, { matches: (method) => method !== 'GET' && method !== 'OPTIONS' })
  const { site, said } = await watch(proxy.url)
  const built = () => site.logged.filter((line) => line.includes('built in')).length

  await proxy.waitForHeld(1)
  const before = built()
  site.write({ 'content/first.md': article('Renamed', { slug: 'first' }) })
  await waitFor(() => expect(built()).toBeGreaterThan(before))
  proxy.release()
  await said('2 created, 0 changed, 0 deleted, 0 unchanged')
  await said('0 created, 1 changed, 0 deleted, 1 unchanged')
})
