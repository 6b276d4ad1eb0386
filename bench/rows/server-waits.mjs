// The longest wait for /healthz while the built-in server is busy with one large request. The same is asked of a server
// that has nothing to do: what it waits is the machine's doing.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Libsql from 'libsql'
import { request } from 'undici'
import { BINARY } from '../kb.mjs'
import { longestWait } from '../measure/probe-waits.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, readText } from './server-requests.mjs'

const BARE = fileURLToPath(new URL('../floors/http-server.mjs', import.meta.url))

const BODY_BYTES = 31_000_000
const MOST_LINKS = 10_000
const DISTINCT_WORDS = 700_000

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

export async function measureServerWaits({ small, scratch, slowRuns, served }) {
  const db = join(scratch, 'waits.db')
  runNode([BINARY, 'sync', '--quiet', '--cwd', small.root])
  fill(join(small.root, '.kb', 'kb.db'), db, served)
  const options = ['--json', '--port', '0', '--check-links', 'off', '--log-level', 'silent', '--pages']
  const ours = await startServer([BINARY, 'serve', '--db', db, '--cwd', small.root, ...options], {
    KB_API_KEY: API_KEY,
  })
  const idle = await startServer([BARE, 'forget'])
  try {
    const rows = []
    for (const { name, ask } of await loads(ours.url, served))
      rows.push(await measureWait({ name, ask }, { ours: ours.url, idle: idle.url }, slowRuns))
    rows.push(await measureStatus(ours.url, db, slowRuns))
    return rows
  } finally {
    await Promise.all([ours.stop(), idle.stop()])
  }
}

async function measureWait({ name, ask }, urls, runs) {
  const samples = { ours: [], idle: [] }
  for (let run = 0; run < runs; run++) {
    let ours = 0
    const idle = await longestWait(urls.idle, async () => {
      ours = await longestWait(urls.ours, () => ask(run))
    })
    samples.ours.push(ours)
    samples.idle.push(idle)
  }
  return {
    title: `server: wait beside ${name}`,
    unit: 'ms',
    goal: '<= 250 ms',
    ours: [Math.max(...samples.ours)],
    beside: [{ name: 'idle node:http at that time', samples: [Math.max(...samples.idle)] }],
  }
}

/** How long the status page takes after a write, beside one statement that passes over the same rows. */
async function measureStatus(url, db, runs) {
  const database = new Libsql(db, { readonly: true })
  const samples = { ours: [], passed: [] }
  const category = JSON.parse(await readText(url, '/api/v2/categories')).data[0].id
  for (let run = 0; run < runs; run++) {
    const body = article(`before-status-${run}`, category, '<p>word</p>')
    await receive(url, { method: 'PUT', path: '/api/v2/articles', headers, body })
    samples.ours.push(await timed(() => receive(url, { method: 'GET', path: '/status', headers })))
    samples.passed.push(
      await timed(() =>
        database
          .prepare('select (select sum(length(url)) from links), (select sum(length(name)) from articles)')
          .get(),
      ),
    )
  }
  database.close()
  return {
    title: 'server: the status page',
    unit: 'ms',
    goal: '<= 1000 ms',
    ours: samples.ours,
    beside: [{ name: 'one statement over its rows', samples: samples.passed }],
  }
}

async function timed(work) {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Each with a name and a function that resolves when the answer has arrived. */
async function loads(url, { articles, links }) {
  const category = JSON.parse(await readText(url, '/api/v2/categories')).data[0].id
  const count = (number) => (number >= 1e6 ? `${number / 1e6}M` : `${number / 1000}k`)
  const read = (path, added) => () => receive(url, { method: 'GET', path, headers: { ...headers, ...added } })
  const put = (name, makeContent) => {
    const content = makeContent()
    return (run) =>
      receive(url, {
        method: 'PUT',
        path: '/api/v2/articles',
        headers,
        body: article(`${name}-${run}`, category, content),
      })
  }
  // What `put` has stored.
  const readLast = async () => {
    const { data } = JSON.parse(await readText(url, '/api/v2/tools/review_dates'))
    const { id } = data.findLast(({ name }) => name.startsWith('text'))
    await read(`/api/v2/articles/${id}`)()
  }
  const openPage = (path) => receive(url, { method: 'GET', path })
  const readPage = (name, content) => {
    const store = put(name, () => content)
    return async (run) => {
      await store(run)
      await openPage(`/articles/${name}-${run}`)
      await openPage(`/articles/${name}-${run}`)
    }
  }
  const search = async (run) => {
    await put('words', distinctWords)(run)
    await openPage('/search?q=zebra')
  }
  const values = `{"title":"x","more":[${'[],'.repeat(BODY_BYTES / 3)}[]]}`
  return [
    { name: `list, ${count(articles)} articles`, ask: read('/api/v2/tools/review_dates') },
    { name: `list, ${count(links)} links`, ask: read('/api/v2/tools/link_manager') },
    { name: '  the same, gzip', ask: read('/api/v2/tools/link_manager', { 'accept-encoding': 'gzip' }) },
    {
      name: '10M values',
      ask: () => receive(url, { method: 'PUT', path: '/api/v2/articles', headers, body: values }),
    },
    { name: 'a batch of 256 articles', ask: (run) => postBatch(url, category, run) },
    { name: 'a batch of 128 large articles', ask: (run) => postLargeBatch(url, category, run) },
    { name: '31 MB of text', ask: put('text', () => '<p>word &amp; word</p>'.repeat(BODY_BYTES / 22)) },
    { name: '31 MB of links', ask: put('links', manyLinks) },
    { name: 'a read of 31 MB', ask: readLast },
    { name: 'the status page', ask: read('/status') },
    { name: 'a search after 5 MB of words', ask: search },
    { name: 'an article page, 3 MB', ask: readPage('page-3', '<p>word &amp; word</p>'.repeat(3e6 / 22)) },
    { name: 'an article page, 18 MB of images', ask: readPage('images', withImages()) },
    { name: 'an article page, 3 MB of links', ask: readPage('escaped', withLinks()) },
    { name: 'an article page, 31 MB', ask: readPage('page-31', '<div><a>'.repeat(BODY_BYTES / 8)) },
  ]
}

/** As large as what is parsed where it arrives, with almost 10,000 links. */
function postBatch(url, category, run) {
  const articles = Array.from({ length: 256 }, (_, index) => {
    const links = Array.from({ length: 39 }, (_each, link) => `<a href="/page-${index}-${link}">page</a>`)
    const content = links.join('').padEnd(3400, 'word ')
    return JSON.parse(article(`batch-${run}-${index}`, category, content))
  })
  return post(url, articles)
}

/** Almost as large as a body may be. */
function postLargeBatch(url, category, run) {
  const text = '<p>word &amp; word</p>'.repeat(BODY_BYTES / 22 / 128)
  const articles = Array.from({ length: 128 }, (_, index) =>
    JSON.parse(article(`large-batch-${run}-${index}`, category, text)),
  )
  return post(url, articles)
}

function post(url, articles) {
  const body = JSON.stringify({ articles })
  return receive(url, { method: 'POST', path: '/api/v2/articles', headers, body })
}

/** As many links as are listed of an article, over and over. */
function manyLinks() {
  const some = Array.from({ length: MOST_LINKS }, (_, index) => `<a href="/page-${index}">page</a>`).join('')
  return some.repeat(Math.floor(BODY_BYTES / (some.length + 2 * MOST_LINKS)))
}

function distinctWords() {
  return `<p>${Array.from({ length: DISTINCT_WORDS }, (_, index) => (7919 * index).toString(36)).join(' ')}</p>`
}

function withImages() {
  return `<img src="data:image/png;base64,${'A'.repeat(1_000_000)}" alt="">`.repeat(18)
}

/** What grows while it is cleaned. */
function withLinks() {
  return `<a href="${'x&'.repeat(400)}">x</a>`.repeat(3700)
}

function article(slug, category, content) {
  return JSON.stringify({
    title: slug,
    slug,
    categories: [{ value: category }],
    excerpt: '',
    ordering: 0,
    status: 'published',
    content,
    articleReviewDate: '2030-01-31',
  })
}

/** Reads all of the answer; one that the server has broken down over ends the benchmark. */
async function receive(url, { path, ...options }) {
  const answer = await request(url + path, { ...options, headersTimeout: 0, bodyTimeout: 0 })
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  if (answer.statusCode >= 500)
    throw new Error(`${options.method} ${path} was answered with ${answer.statusCode}`)
  return bytes
}

/** Copies a database, with so many articles and links in it: over HTTP they would take minutes. */
export function fill(from, to, { articles, links, content }) {
  const database = new Libsql(from)
  database.exec(`vacuum into '${to}'`)
  database.close()
  const filled = new Libsql(to)
  copyRow(filled, 'articles', articles, {
    slug: `'copy-' || n`,
    article_parent: 'null',
    review_date: `'2030-01-31T00:00:00.000Z'`,
    ...(content !== undefined && { content: `'${content}'` }),
  })
  filled.exec(`
    insert into article_changes (article_id, site_id, revision)
    select articles.id, site_id, revision + 1 from articles, meta where slug like 'copy-%'`)
  filled.exec('update sites set article_count = (select count(*) from articles)')
  filled.exec(`
    insert into article_categories (id, site_id, article_id, category_id, added_date)
    select 'c' || a.id, a.site_id, a.id, (select id from categories limit 1), a.created_date
    from articles a where a.slug like 'copy-%'`)
  filled.exec(`
    with recursive series (n) as (select 1 union all select n + 1 from series where n < ${links})
    insert into link_targets (site_id, target)
    select sites.id, 'https://host-' || (n % 97) || '.example.com/pages/' || n from series, sites`)
  filled.exec(`
    insert into links (id, site_id, article_id, target_id, url, created_date)
    select printf('01900000-0000-7000-8000-%012d', t.id), a.site_id, a.id, t.id, t.target, a.created_date
    from link_targets t, (select * from articles limit 1) a where t.target like 'https://host-%'`)
  // Otherwise these links would be replaced by those in the articles.
  filled.exec(
    'update meta set revision = revision + 1; update sites set linked_revision = (select revision from meta)',
  )
  filled.exec('pragma wal_checkpoint(truncate)')
  filled.close()
}

/** Inserts `count` rows like the first of a table, each with an id of its own and the values that `changes` names. */
function copyRow(database, table, count, changes) {
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
  const values = columns.map((name) =>
    name === 'id' ? `printf('01900000-0000-7000-8000-%012d', n)` : (changes[name] ?? `row.${name}`),
  )
  database.exec(`
    with recursive series (n) as (select 1 union all select n + 1 from series where n < ${count})
    insert into ${table} (${columns.join(', ')})
    select ${values.join(', ')} from series, (select * from ${table} limit 1) row`)
}
