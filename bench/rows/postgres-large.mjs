// The built-in server on a large PostgreSQL database: how long each operation takes, beside the same server on SQLite
// with as many articles, and how much memory a list of a million entries takes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { Pool } from 'undici'
import { BINARY } from '../kb.mjs'
import { measurePeak } from '../measure/peak-memory.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startPostgres } from '../measure/start-postgres.mjs'
import { startServer } from '../measure/start-server.mjs'
import { percentile } from '../measure/statistics.mjs'
import { reportArgs } from './report.mjs'
import { createRequests, API_KEY, readText, updateRequests } from './server-requests.mjs'
import { fill } from './server-waits.mjs'

const CALLS = 200
/** About as long as a short article. */
const CONTENT = '<p>Some words of a paragraph.</p>'.repeat(60)
/** Of operations that answer with everything. */
const LIST_CALLS = 5

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

/** Median and 95th percentile of every operation. */
export async function measureLatencies(context) {
  const { scratch, small } = context
  const served = { articles: context.served.articles, links: context.served.articles, content: CONTENT }
  const postgres = await startPostgres()
  const urls = { postgres: postgres.urlOf('postgres'), sqlite: join(scratch, 'latencies.db') }
  const servers = []
  try {
    await seed(context, urls.postgres)
    await fillPostgres(urls.postgres, served)
    runNode([BINARY, 'sync', '--quiet', '--cwd', small.root])
    fill(join(small.root, '.kb', 'kb.db'), urls.sqlite, served)
    for (const db of [urls.postgres, urls.sqlite]) {
      const admin = (...args) =>
        runNode([BINARY, 'admin', 'tags', ...args, '--json', '--db', db, '--cwd', small.root])
      admin('add', 'Bench')
      const tag = JSON.parse(admin('list').stdout).tags[0].id
      servers.push({ ...(await serve(context, db)), tag })
    }
    return await measureOperations(context, servers)
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}

/** Peak memory of the server and of a client, and the time until the first byte. */
export async function measureLongList(context) {
  const { listed, small, scratch } = context
  const postgres = await startPostgres()
  const db = postgres.urlOf('postgres')
  let server
  try {
    await seed(context, db)
    await fillPostgres(db, { articles: listed.at(-1), links: 0 })
    server = await serve(context, db)
    const started = peakOf(server.pid)
    const first = []
    for (let run = 0; run < LIST_CALLS; run++) first.push(await firstByte(server.url))
    const client = measurePeak(reportArgs(small.root), scratch, { KB_URL: server.url, KB_API_KEY: API_KEY })
    const title = `PostgreSQL, ${listed.at(-1).toLocaleString('en-US')} review dates`
    const before = { name: 'after its start', samples: [started] }
    return [
      { title: `${title}: first byte`, unit: 'ms', goal: '<= 50 ms', ours: first, beside: [] },
      { title: '  peak memory of the server', unit: 'MiB', ours: [peakOf(server.pid)], beside: [before] },
      { title: '  peak memory of kb report', unit: 'MiB', ours: [client], beside: [] },
    ]
  } finally {
    await server?.stop()
    await postgres.stop()
  }
}

function serve({ small }, db) {
  const quiet = ['--log-level', 'silent', '--check-links', 'off']
  const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', small.root, ...quiet]
  return startServer(args, { KB_API_KEY: API_KEY })
}

/** The tables, the categories and an article. */
async function seed(context, db) {
  const server = await serve(context, db)
  try {
    await call(
      server,
      createRequests(context.documents, {
        count: 1,
        category: await firstCategory(server.url),
        round: 'seed',
      })[0],
    )
  } finally {
    await server.stop()
  }
}

async function firstCategory(url) {
  return JSON.parse(await readText(url, '/api/v2/categories')).data[0].id
}

const RELATED = `
    insert into article_changes (article_id, site_id, revision)
      select id, site_id, 1 from articles where slug like 'copy-%';
    insert into article_categories (id, site_id, article_id, category_id, added_date)
      select 'c' || a.id, a.site_id, a.id, (select id from categories limit 1), a.created_date
      from articles a where slug like 'copy-%';`

/** As many articles like the first one, and links to as many targets, in one article. */
async function fillPostgres(db, { articles, links, content = '' }) {
  const client = new Client({ connectionString: db })
  await client.connect()
  const id = `'01900000-0000-7000-8000-' || lpad(n::text, 12, '0')`
  await client.query(`
    -- Foreign keys and triggers would take several times as long.
    set session_replication_role = replica;
    create temporary table model as select * from articles limit 1;
    insert into articles select filled.*
      from (select a from articles a limit 1) as one, generate_series(1, ${articles}) as n,
        lateral jsonb_populate_record(one.a, jsonb_build_object('id', ${id}, 'slug', 'copy-' || n,
          'content', '${content}', 'review_date', '2030-01-31T00:00:00.000Z')) as filled;
    ${links === 0 ? '' : RELATED}
    insert into link_targets (site_id, target)
      select sites.id, 'https://host-' || (n % 97) || '.example.com/pages/' || n from sites, generate_series(1, ${links}) as n;
    insert into links (id, site_id, article_id, target_id, url, created_date)
      select 'l' || t.id, model.site_id, model.id, t.id, t.target, model.created_date
      from link_targets t, model where t.target like 'https://host-%';
    -- Otherwise these links would be replaced by those in the articles.
    update sites set article_count = (select count(*) from articles), linked_revision = revision;
    set session_replication_role = origin;
  `)
  await client.query('vacuum analyze')
  await client.end()
}

async function measureOperations({ documents, served }, servers) {
  const asked = []
  for (const server of servers) asked.push(await operationsOf(server, documents))
  const pools = servers.map(({ url }) => new Pool(url, { connections: 1 }))
  const rows = []
  for (const [index, { name, requests }] of asked[0].entries()) {
    const samples = servers.map(() => [])
    for (let turn = 0; turn < requests.length; turn++) {
      for (const [which, pool] of pools.entries()) {
        samples[which].push(await timed(pool, asked[which][index].requests[turn]))
      }
    }
    const [ours, beside] = samples
    const title = `${served.articles.toLocaleString('en-US')} articles: ${name}`
    rows.push(
      { title, unit: 'ms', ours, beside: [{ name: 'SQLite', samples: beside }] },
      {
        title: '  95th percentile',
        unit: 'ms',
        ours: [percentile(ours, 95)],
        beside: [{ name: 'SQLite', samples: [percentile(beside, 95)] }],
      },
    )
  }
  await Promise.all(pools.map((pool) => pool.close()))
  return rows
}

/** What is asked of a server, in this order. */
async function operationsOf({ url, tag }, documents) {
  const { data: categories } = JSON.parse(await readText(url, '/api/v2/categories'))
  const category = categories[0].id
  const ids = Array.from(
    { length: CALLS },
    (_, index) => `01900000-0000-7000-8000-${String((index + 1) * 7).padStart(12, '0')}`,
  )
  const repeat = (request, count = CALLS) => Array.from({ length: count }, () => request)
  const get = (path) => ({ method: 'GET', path, headers })
  const post = (path, body) => ({ method: 'POST', path, headers, body: JSON.stringify(body) })
  const taxon = { name: 'Bench', slug: 'bench', lang: 'en' }
  const { name, slug = name } = categories[0]
  return [
    { name: 'read', requests: ids.map((id) => get(`/api/v2/articles/${id}`)) },
    { name: 'create', requests: createRequests(documents, { count: CALLS, category, round: 'latency' }) },
    {
      name: 'update',
      requests: updateRequests(documents, { count: CALLS, category, round: 'latency', ids }),
    },
    {
      name: 'delete',
      requests: ids.map((id) => ({ method: 'DELETE', path: `/api/v2/articles/${id}`, headers })),
    },
    { name: 'list categories', requests: repeat(get('/api/v2/categories')) },
    {
      name: 'update a category',
      requests: repeat(post(`/api/v2/categories/${category}`, { name, slug, priority: 1, lang: 'en' })),
    },
    { name: 'read a tag', requests: repeat(get(`/api/v2/tags/${tag}`)) },
    { name: 'update a tag', requests: repeat(post(`/api/v2/tags/${tag}`, { id: tag, ...taxon })) },
    { name: '500 changes', requests: repeat(get('/api/v2/articles?changedSince=0&limit=500'), LIST_CALLS) },
    { name: 'all review dates', requests: repeat(get('/api/v2/tools/review_dates'), LIST_CALLS) },
    { name: 'all links', requests: repeat(get('/api/v2/tools/link_manager'), LIST_CALLS) },
  ]
}

async function timed(pool, request) {
  const startedMs = performance.now()
  const { statusCode, body } = await pool.request(request)
  if (statusCode !== 200)
    throw new Error(`${request.method} ${request.path} was answered with ${statusCode}: ${await body.text()}`)
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  return performance.now() - startedMs
}

async function call(server, request) {
  const pool = new Pool(server.url)
  await timed(pool, request)
  await pool.close()
}

/** Milliseconds until the first byte of the list; the rest is read. */
async function firstByte(url) {
  const pool = new Pool(url)
  const startedMs = performance.now()
  const { body } = await pool.request({ method: 'GET', path: '/api/v2/tools/review_dates', headers })
  let first
  for await (const _ of body) first ??= performance.now() - startedMs
  await pool.close()
  return first
}

/** Peak memory of a process, in MiB. */
function peakOf(pid) {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
