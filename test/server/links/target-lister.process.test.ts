import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTargetLister } from '../../../src/server/links/start-link-checker.ts'
import type { Store } from '../../../src/server/store/open-store.ts'
import { bundleScript } from '../../support/bundle-script.ts'
import { startScript } from '../../support/child-script.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { articleBody, openTestServer, type TestServer } from '../../support/server.ts'

const HOUR_MS = 3_600_000
const POLL_MS = 15_000

/** A lister with a real store, and what it reads. */
function createListing({ store }: TestServer) {
  const time = { nowMs: Date.now(), elapsedMs: 0 }
  const calls: string[] = []
  const observed: Store = {
    ...store,
    retargetLinks: (page, targetOf) => {
      calls.push(page.after === 0 ? 'read from the start' : 'read on')
      return store.retargetLinks(page, targetOf)
    },
    scheduleTargets: (now, limit) => {
      calls.push('schedule')
      return store.scheduleTargets(now, limit)
    },
  }
  const list = createTargetLister({
    store: observed,
    nowMs: () => time.nowMs,
    elapsedMs: () => time.elapsedMs,
    pollMs: POLL_MS,
    stop: new AbortController().signal,
  })
  return {
    /** Lists after a while. @returns what was done */
    async listAfter(waitMs: number): Promise<string[]> {
      time.elapsedMs += waitMs
      time.nowMs += waitMs
      await list()
      return calls.splice(0)
    },
    due: async () =>
      (
        await store.dueLinks(
          store.defaultSiteId,
          new Date(time.nowMs).toISOString(),
          { dueDate: '', target: '' },
          1000,
        )
      ).map(({ target }) => new URL(target).pathname),
  }
}

async function hold(server: TestServer, slug: string, count: number): Promise<void> {
  const links = Array.from({ length: count }, (_, index) => `<a href="http://a.test/${slug}${index}">x</a>`)
  const body = articleBody(server, { slug, content: links.join('') })
  expect((await server.call('PUT', '/api/v2/articles', body)).status).toBe(200)
}

test('all links are read once, then new targets are scheduled, and only if something was written', async () => {
  const server = await openTestServer()
  await hold(server, 'many', 600)
  const listing = createListing(server)
  expect(await listing.listAfter(0)).toEqual(['read from the start', 'read on', 'schedule', 'schedule'])
  expect(await listing.due()).toHaveLength(600)
  // Its own writes do not cause another run.
  expect(await listing.listAfter(1000)).toEqual([])
  expect(await listing.listAfter(POLL_MS)).toEqual(['schedule'])
  expect(await listing.listAfter(POLL_MS)).toEqual([])

  await hold(server, 'new', 1)
  expect(await listing.listAfter(1000)).toEqual(['schedule'])
  expect(await listing.due()).toContain('/new0')
})

test('everything is read again every hour', async () => {
  const server = await openTestServer()
  await hold(server, 'one', 1)
  const listing = createListing(server)
  const all = ['read from the start', 'schedule']
  expect(await listing.listAfter(0)).toEqual(all)
  expect(await listing.listAfter(HOUR_MS - 1)).toEqual(['schedule'])
  expect(await listing.listAfter(1)).toEqual(all)
})

test('a checker does not keep its process alive', async () => {
  const script = await bundleScript(join(import.meta.dirname, 'open-and-leave.ts'))
  const db = join(temporaryFolder(), 'kb.db')
  const { lines, exited } = startScript(script, db)
  const said: string[] = []
  for await (const line of lines) said.push(line)
  expect([said, await exited]).toEqual([['open'], [0, null]])
})
