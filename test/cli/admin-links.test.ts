import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listLinks } from '../../src/cli/commands/admin/links.ts'
import type { StoreCall } from '../../src/cli/commands/admin/run-admin.ts'
import { openAdminStore } from '../../src/server/store/admin/open-admin-store.ts'
import type { LinkCheckResult } from '../../src/server/store/link-check-data.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { LATER, linksTo, NOW, openFixture } from '../api/contract/store-fixture.ts'
import { temporaryFolder } from '../support/folder.ts'

const UNTIL = '2026-03-01T10:15:00.000Z'

const links = (...names: readonly string[]) => linksTo(...names.map((name) => `https://${name}/`))

const result = (name: string, changes: Partial<LinkCheckResult>): LinkCheckResult => ({
  target: `https://${name}/`,
  claimedUntil: UNTIL,
  working: true,
  failures: 0,
  status: 200,
  reason: '',
  checkedDate: NOW,
  nextCheckDate: LATER,
  ...changes,
})

/** Creates a database with checked links, and runs the command on it. */
async function openChecked() {
  const file = join(temporaryFolder(), 'kb.db')
  const fixture = await openFixture(async () => ({
    open: () => openStore({ db: file, languages: ['en'], articleLimit: 1000, now: NOW }),
  }))()
  const admin = await openAdminStore({ db: file, languages: ['en'], now: NOW })
  onTestFinished(() => admin.close())
  const call = async (options: { readonly all?: boolean; readonly site?: string } = {}) =>
    listLinks({
      admin,
      args: [],
      options,
      site: await admin.sites.find(options.site ?? 'default'),
      articleLimit: 1000,
      now: NOW,
      apiKeyFile: '',
      width: 80,
      confirm: async () => undefined,
    } satisfies StoreCall<{ all?: boolean }>)
  const record = async (...results: readonly LinkCheckResult[]) => {
    await fixture.store.retargetLinks({ after: 0, limit: 5000 }, ({ url }) =>
      url === 'https://mailto/' ? '' : url,
    )
    await fixture.store.scheduleTargets(NOW, 5000)
    const targets = results.map(({ target }) => target)
    expect(await fixture.store.claimLinks(fixture.store.defaultSiteId, targets, NOW, UNTIL)).toEqual(targets)
    await fixture.store.recordLinkChecks(fixture.store.defaultSiteId, results)
  }
  return { ...fixture, admin, call, record }
}

test('broken links are listed by article, with the reason and the time of the check', async () => {
  const { createdId, call, record } = await openChecked()
  const zebra = await createdId({ title: 'Zebra', slug: 'zebra', content: links('gone', 'fine') })
  const ant = await createdId({
    title: 'Ant',
    slug: 'ant',
    content: links('gone', 'nowhere', 'shaky', 'mailto', 'new'),
  })
  await record(
    result('gone', { working: false, failures: 3, status: 404, reason: '404 Not Found' }),
    result('nowhere', { working: false, failures: 2, status: null, reason: 'no such host (ENOTFOUND)' }),
    result('shaky', { failures: 1, status: 500, reason: '500 Internal Server Error' }),
    result('fine', {}),
  )
  const gone = { working: false, status: 404, reason: '404 Not Found', failures: 3, checked: NOW }
  const inAnt = { article: { id: ant, name: 'Ant', slug: 'ant' }, id: expect.any(String) }
  const { document, text } = await call()
  expect(document).toEqual({
    site: 'default',
    links: [
      { ...inAnt, url: 'https://gone/', ...gone },
      {
        ...inAnt,
        url: 'https://nowhere/',
        working: false,
        status: null,
        reason: 'no such host (ENOTFOUND)',
        failures: 2,
        checked: NOW,
      },
      {
        id: expect.any(String),
        article: { id: zebra, name: 'Zebra', slug: 'zebra' },
        url: 'https://gone/',
        ...gone,
      },
    ],
  })
  expect(text).toBe(`Ant
  https://gone/
    404 Not Found, checked 2026-03-01 10:00 UTC
  https://nowhere/
    no such host (ENOTFOUND), checked 2026-03-01 10:00 UTC

Zebra
  https://gone/
    404 Not Found, checked 2026-03-01 10:00 UTC
`)
  expect((await call({ all: true })).text).toBe(`Ant
  https://gone/
    404 Not Found, checked 2026-03-01 10:00 UTC
  https://nowhere/
    no such host (ENOTFOUND), checked 2026-03-01 10:00 UTC
  https://shaky/
    works: 500 Internal Server Error, checked 2026-03-01 10:00 UTC
  https://mailto/
    works: it cannot be checked
  https://new/
    works: not checked yet

Zebra
  https://gone/
    404 Not Found, checked 2026-03-01 10:00 UTC
  https://fine/
    works: 200, checked 2026-03-01 10:00 UTC
`)
})

test('a site has only its own links, and nothing in them controls the terminal', async () => {
  const { createdId, admin, call, record } = await openChecked()
  await admin.sites.add({ name: 'docs', languages: ['en'], articleLimit: null, now: NOW })
  await createdId({ title: 'A\u001b[2J', content: links('gone') })
  await record(result('gone', { working: false, failures: 2, status: null, reason: 'b\u001b[2J\nc' }))
  expect((await call()).text).toBe(
    'A\\u{1b}[2J\n  https://gone/\n    b\\u{1b}[2J c, checked 2026-03-01 10:00 UTC\n',
  )
  expect(await call({ site: 'docs' })).toEqual({
    document: { site: 'docs', links: [] },
    text: 'No link is known to be broken.\n',
  })
  expect((await call({ site: 'docs', all: true })).text).toBe('No article has a link.\n')
})

test('more links than fit on one page are all listed, once', async () => {
  const { createdId, call, record } = await openChecked()
  const names = Array.from({ length: 2001 }, (_, index) => `host-${index}`)
  await createdId({ content: links(...names) })
  await record(...names.map((name) => result(name, { working: false, failures: 2, reason: 'gone' })))
  const { document } = await call()
  const { links: listed } = document as { readonly links: readonly { readonly url: string }[] }
  expect(listed.map(({ url }) => url)).toEqual(names.map((name) => `https://${name}/`))
})
