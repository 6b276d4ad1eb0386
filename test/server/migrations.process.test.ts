import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { checkDatabase } from '../../src/server/store/sqlite/check-database.ts'
import { MIGRATIONS } from '../../src/server/store/sqlite/migrations.ts'
import { bundleScript } from '../support/bundle-script.ts'
import { startScript } from '../support/child-script.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createArticle, NOW, openTestServer, reviewedIds } from '../support/server.ts'

const CHECKED = '2026-02-01T10:00:00.000Z'
const NEXT = '2026-02-02T10:00:00.000Z'

/** Number of migrations of the last program that stored the target with each link. */
const BEFORE_TARGETS = 6

/** Number of statements of a migration: the begin, one for each step, the version, and the commit. */
const STATEMENTS = MIGRATIONS.length - BEFORE_TARGETS + 3

/** A database of that program: two sites, each with an article with links. */
function createOldDatabase(): string {
  const file = join(temporaryFolder(), 'old.db')
  const connection = new Libsql(file)
  connection.exec(`${MIGRATIONS.slice(0, BEFORE_TARGETS).join(';')}; pragma user_version = ${BEFORE_TARGETS}`)
  for (const site of ['default', 'other']) {
    connection.exec(`
      insert into sites values ('${site}', '${site}', null, 1, '${NOW}');
      insert into languages values ('${site}', 'en', 0);
      insert into articles values ('a-${site}', '${site}', 'Here', 'here', '', 0, 'published', 0, '', null, '', null,
        null, null, '${NOW}', '${NOW}', '<p>x</p>')`)
  }
  const link = connection.prepare('insert into links values (?, ?, ?, ?, ?, ?)')
  const addLink = (id: string, site: string, url: string, target: string) =>
    link.run(id, site, `a-${site}`, url, NOW, target)
  addLink('l3', 'default', 'http://a.test/#part', 'http://a.test/')
  addLink('l1', 'default', 'http://a.test/', 'http://a.test/')
  addLink('l2', 'other', 'http://a.test/', 'http://a.test/')
  addLink('l4', 'default', '/none', '')
  addLink('l5', 'default', '/articles/here', 'article:default:here')
  for (let index = 0; index < 500; index++)
    addLink(`m${1000 + index}`, 'default', `http://b.test/${index}`, `http://b.test/${index}`)
  const check = connection.prepare('insert into link_checks values (?, ?, ?, ?, ?, ?, ?, ?)')
  check.run('default', 'http://a.test/', 0, 3, 404, '404 Not Found', CHECKED, NEXT)
  check.run('other', 'http://a.test/', 1, 1, null, 'timeout', CHECKED, NOW)
  check.run('default', 'http://b.test/0', 1, 0, null, '', null, CHECKED)
  check.run('default', 'http://gone.test/', 0, 2, null, 'no such host', CHECKED, CHECKED)
  connection.close()
  return file
}

async function readAll(db: string) {
  const server = await openTestServer({ db, seed: {} })
  const { store } = server
  const sites = await Promise.all(
    ['default', 'other'].map(async (site) => ({
      links: await store.listLinks(site, { after: 0, limit: 5 }),
      count: await store.countLinks(site),
      broken: await store.listBrokenLinks(site, { target: '', number: 0 }, 9),
      due: await store.dueLinks(site, NOW, { dueDate: '', target: '' }, 9),
    })),
  )
  const claimed = await store.claimLinks('default', ['http://gone.test/', 'http://b.test/0'], NOW, NEXT)
  await server.close()
  return { sites, claimed }
}

const link = (number: number, id: string, site: string, url: string, working = true) => ({
  number,
  id,
  articleId: `a-${site}`,
  articleName: 'Here',
  url,
  createdDate: NOW,
  working,
})

const broken = (number: number, url: string) => ({
  number,
  target: 'http://a.test/',
  url,
  status: 404,
  reason: '404 Not Found',
  name: 'Here',
  slug: 'here',
  language: '',
  categoryIds: [],
})

const due = (target: string, dueDate: string, changes = {}) => ({
  target,
  dueDate,
  working: true,
  failures: 0,
  ...changes,
})

const EXPECTED = {
  sites: [
    {
      links: [
        link(1, 'l1', 'default', 'http://a.test/', false),
        link(3, 'l3', 'default', 'http://a.test/#part', false),
        link(4, 'l4', 'default', '/none'),
        link(5, 'l5', 'default', '/articles/here'),
        link(6, 'm1000', 'default', 'http://b.test/0'),
      ],
      count: { links: 504, unchecked: 1 },
      broken: [broken(1, 'http://a.test/'), broken(3, 'http://a.test/#part')],
      due: [
        due('http://b.test/0', CHECKED),
        due('http://gone.test/', CHECKED, { working: false, failures: 2 }),
        due('http://a.test/', NEXT, { working: false, failures: 3 }),
      ],
    },
    {
      links: [link(2, 'l2', 'other', 'http://a.test/')],
      count: { links: 1, unchecked: 0 },
      broken: [],
      due: [due('http://a.test/', NOW, { failures: 1 })],
    },
  ],
  claimed: ['http://b.test/0'],
}

test('links keep their order, their targets and the results of their checks', async () => {
  const db = createOldDatabase()
  expect(await readAll(db)).toEqual(EXPECTED)
  expect(checkDatabase(db, 'full')).toMatchObject({ sites: 2, articles: 2 })
})

test.each(Array.from({ length: STATEMENTS + 1 }, (_, statement) => statement))(
  'a migration killed after %i statements is complete or has no effect',
  async (statement) => {
    const db = createOldDatabase()
    const script = await bundleScript(join(import.meta.dirname, 'migrate-until-stopped.ts'))
    const child = startScript(script, db, String(statement))
    for await (const line of child.lines) if (line === 'stopped') child.process.kill('SIGKILL')
    await child.exited
    expect(child.process.signalCode).toBe('SIGKILL')
    // Reading a copy, with its log, leaves the original for the migration.
    const copy = join(temporaryFolder(), 'copy.db')
    for (const end of ['', '-wal']) copyFileSync(`${db}${end}`, `${copy}${end}`)
    const connection = new Libsql(copy)
    expect(connection.prepare('pragma user_version').get()).toMatchObject({
      user_version: statement < STATEMENTS ? BEFORE_TARGETS : MIGRATIONS.length,
    })
    expect(connection.prepare('select count(*) as links from links').get()).toMatchObject({ links: 505 })
    connection.close()
    expect(await readAll(db)).toEqual(EXPECTED)
  },
)

test('a delete does not scan the revisions of all articles for old deletions', () => {
  const connection = new Libsql(':memory:')
  connection.exec(MIGRATIONS.join(';'))
  const pages = connection
    .prepare("select rootpage from sqlite_master where name = 'article_changes_page'")
    .pluck()
    .all()
  const steps = connection.prepare("explain delete from articles where id = 'x'").all() as {
    opcode: string
    p2: number
  }[]
  const opened = steps.filter(({ p2 }) => pages.includes(p2)).map(({ opcode }) => opcode)
  connection.close()
  expect(opened.filter((opcode) => opcode === 'OpenRead')).toEqual([])
  expect(opened).toContain('OpenWrite')
})

/** Number of migrations of the last program that recorded creates with a trigger on articles. */
const BEFORE_NARROW_TRIGGER = 19

test('articles of before keep their recorded changes and review dates, and a new draft is recorded with its article', async () => {
  const db = join(temporaryFolder(), 'old.db')
  const connection = new Libsql(db)
  connection.exec(`${MIGRATIONS.slice(0, BEFORE_NARROW_TRIGGER).join(';')};
    pragma user_version = ${BEFORE_NARROW_TRIGGER};
    insert into sites (id, name, article_count, created_date) values ('s', 'default', 2, '${NOW}');
    insert into languages values ('s', 'en', 0);
    update meta set revision = 5`)
  const insert = connection.prepare(`insert into articles (id, site_id, name, slug, excerpt, order_by, status,
      hide_from_search, seo_banner_url, review_date, language, created_date, last_edited_date, content)
    values (?, 's', ?, ?, '', 0, 'published', 0, '', '2026-05-01T00:00:00.000Z', '', '${NOW}', '${NOW}', '')`)
  insert.run('a1', 'Z', 'first')
  insert.run('a2', 'A', 'second')
  connection.exec('update meta set revision = 6')
  connection.close()

  const server = await openTestServer({ db })
  const { store } = server
  const listChanges = async () => {
    const page = { after: { revision: 0, id: '' }, deletedAfter: 0, limit: 10 }
    const changes = await store.listChanges('s', page)
    return changes.map(({ kind, id, revision }) => ({ kind, id, revision }))
  }
  const changed = (id: string, revision: number) => ({ kind: 'changed', id, revision })
  expect(await listChanges()).toEqual([changed('a1', 6), changed('a2', 6)])
  expect(await reviewedIds(server)).toEqual(['a1', 'a2'])
  const before = await store.revision()
  const draft = await createArticle(server, { slug: 'first', status: 'draft' })
  const after = await store.revision()
  expect(after).toBe(before + 1)
  expect(await listChanges()).toEqual([changed('a2', 6), changed(draft, after), changed('a1', after)])
  const other = await createArticle(server, { slug: 'other' })
  expect((await listChanges()).at(-1)).toEqual(changed(other, after + 1))
})
