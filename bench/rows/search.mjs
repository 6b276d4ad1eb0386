// The search of the pages: how well it answers the judged questions of the tests, and how long it takes among the
// documents of the corpus.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Libsql from 'libsql'
import pLimit from 'p-limit'
import { request } from 'undici'
import { BINARY, databaseOf } from '../kb.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startPostgres } from '../measure/start-postgres.mjs'
import { startServer } from '../measure/start-server.mjs'
import { percentile } from '../measure/statistics.mjs'
import { API_KEY, readText } from './server-requests.mjs'

const JUDGED = fileURLToPath(new URL('../../test/web/pages/search/judged/', import.meta.url))
const QUESTIONS = readJson('questions')

/** Share of questions with an answer among the first five results, and mean of 1 / position of the first answer. */
export async function judgeSearch({ scratch }) {
  const rows = []
  for (const set of Object.keys(QUESTIONS)) rows.push(...(await judgeSet(set, scratch)))
  return rows
}

async function judgeSet(set, scratch) {
  const root = join(scratch, `judged-${set}`)
  mkdirSync(join(root, 'content'), { recursive: true })
  writeFileSync(join(root, 'content', '_categories.yml'), '- name: Guides\n  slug: guides\n')
  const server = await serve(root)
  try {
    await putArticles(server.url, readJson(set))
    const questions = QUESTIONS[set]
    const ranks = []
    for (const [question, slugs] of questions) {
      const found = slugsIn(await readText(server.url, pathOf(question)))
      ranks.push(found.findIndex((slug) => slugs.map(toSlug).includes(slug)) + 1)
    }
    const share = (sum) => [sum / questions.length]
    const answered = ranks.filter((rank) => rank > 0)
    const title = `search, ${questions.length} questions about ${set}`
    return [
      {
        title: `${title}, recall@5`,
        unit: 'share',
        ours: share(answered.filter((rank) => rank <= 5).length),
        beside: [],
      },
      {
        title: `${title}, MRR`,
        unit: 'share',
        ours: share(answered.reduce((sum, rank) => sum + 1 / rank, 0)),
        beside: [],
      },
    ]
  } finally {
    await server.stop()
  }
}

function serve(root, db = databaseOf(root)) {
  const quiet = ['--log-level', 'silent', '--check-links', 'off']
  const args = ['serve', '--json', '--port', '0', '--pages', '--cwd', root, '--db', db, ...quiet]
  return startServer([BINARY, ...args], { KB_API_KEY: API_KEY })
}

async function putArticles(url, articles) {
  const [{ id }] = JSON.parse(await readText(url, '/api/v2/categories')).data
  const limit = pLimit(8)
  await Promise.all(
    articles.map(({ slug, title, text }) =>
      limit(async () => {
        const { statusCode, body } = await request(`${url}/api/v2/articles`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            title,
            slug: toSlug(slug),
            categories: [{ value: id }],
            excerpt: '',
            ordering: 0,
            status: 'published',
            content: text.split('\n').map(toHtml).join(''),
          }),
        })
        const answer = await body.text()
        if (statusCode !== 200) throw new Error(answer)
      }),
    ),
  )
}

/** A line is a paragraph or, after `## `, a heading. */
function toHtml(line) {
  const isHeading = line.startsWith('## ')
  const text = (isHeading ? line.slice(3) : line).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return isHeading ? `<h2>${text}</h2>` : `<p>${text}</p>`
}

function toSlug(slug) {
  return slug.replaceAll('/', '-')
}

function pathOf(question) {
  return `/search?q=${encodeURIComponent(question)}`
}

function slugsIn(page) {
  return [...page.slice(page.indexOf('<main')).matchAll(/href="\/articles\/([^"]+)"/g)].map(
    ([, slug]) => slug,
  )
}

/** The 95th percentile of the time of a page of results, beside that of the list of all articles. */
export async function measureSearch({ project }) {
  const database = databaseOf(project.root)
  const server = await serve(project.root)
  try {
    await indexed(database)
    return await timeQuestions(server.url, `search, ${project.files.length} documents`, project)
  } finally {
    await server.stop()
  }
}

/** Questions that a server has answered before it is timed: its first ones also wait for compilation of its code. */
const WARMED_UP_BY = 100

/** Times the judged questions, each once, after the names of some articles. */
async function timeQuestions(url, title, { files }) {
  const names = Array.from({ length: WARMED_UP_BY }, (_, at) => {
    const file = files[Math.floor((at * files.length) / WARMED_UP_BY)]
    return basename(file, '.md').replaceAll('-', ' ')
  })
  await timesOf(url, names.map(pathOf))
  const ours = await timesOf(url, ASKED.map(pathOf))
  const list = await timesOf(
    url,
    ASKED.map(() => '/search'),
  )
  return {
    title: `${title}, 95th percentile`,
    unit: 'ms',
    goal: '<= 50 ms',
    ours: [percentile(ours, 95)],
    beside: [{ name: 'the list of all articles', samples: [percentile(list, 95)] }],
  }
}

/** The same among many articles, on both databases, and the time from a start to the first answer. */
export async function measureLargeSearch({ project, scratch, searched }) {
  const file = join(scratch, 'searched.db')
  await fillSearched(project, file, searched)
  const postgres = await startPostgres()
  try {
    const copy = postgres.urlOf('postgres')
    runNode([BINARY, 'admin', 'copy', '--from', file, '--to', copy, '--json'])
    return await timeDatabases(project, { SQLite: file, PostgreSQL: copy }, searched)
  } finally {
    await postgres.stop()
  }
}

export async function timeDatabases(project, databases, searched) {
  const { root } = project
  const rows = []
  for (const [name, db] of Object.entries(databases)) {
    const title = `search on ${name}, ${searched.toLocaleString('en-US')} articles`
    const first = []
    for (const path of [pathOf(ASKED[0]), '/']) {
      const startedMs = performance.now()
      const server = await serve(root, db)
      await readPage(server.url, path)
      first.push(performance.now() - startedMs)
      await server.stop()
    }
    const server = await serve(root, db)
    rows.push(await timeQuestions(server.url, title, project))
    await server.stop()
    const beside = [{ name: 'to the first home page', samples: [first[1]] }]
    rows.push({ title: '  from the start to the first answer', unit: 'ms', ours: [first[0]], beside })
  }
  return rows
}

/** A database with the articles of a project and as many copies of them as needed, all of them indexed. */
export async function fillSearched(project, file, searched) {
  const database = new Libsql(databaseOf(project.root))
  database.exec(`vacuum into '${file}'`)
  database.close()
  const server = await serve(project.root, file)
  await indexed(file)
  await server.stop()
  const filled = new Libsql(file)
  const { articles } = filled.prepare('select count(*) as articles from articles').get()
  for (let copy = 1; articles * copy < searched; copy++) {
    const count = Math.min(articles, searched - articles * copy)
    for (const [table, changes] of Object.entries(COPIED)) copyRows(filled, table, changes, copy, count)
  }
  filled.exec('update sites set article_count = (select count(*) from articles)')
  filled.close()
  const filling = await serve(project.root, file)
  await indexed(file)
  await filling.stop()
}

/** By table, the columns that differ in a copy. */
const COPIED = {
  articles: ['id', 'slug'],
  article_categories: ['id', 'article_id'],
  article_words: ['article_id', 'is_posted'],
}

/** The value of such a column: copied words are not among those that are searched. */
function valueIn(copy, name) {
  return name === 'is_posted' ? '0' : `${name} || '-${copy}'`
}

function copyRows(database, table, changes, copy, count) {
  const id = changes.includes('article_id') ? 'article_id' : 'id'
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .flatMap(({ name }) => (name === 'number' ? [] : [name]))
  const values = columns.map((name) => (changes.includes(name) ? valueIn(copy, name) : name))
  database.exec(`
    insert into ${table} (${columns.join()}) select ${values.join()} from ${table}
    where ${id} in (select id from articles where length(id) = 36 order by id limit ${count})`)
}

async function indexed(file) {
  const database = new Libsql(file, { readonly: true })
  const left = database.prepare(`select (select count(*) from unindexed_articles)
    + (select count(*) from article_words where is_posted = 0) as articles`)
  while (left.get().articles > 0) await pause(200)
  database.close()
}

/** As a reader, without a key. */
async function readPage(url, path) {
  const { statusCode, body } = await request(`${url}${path}`)
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  if (statusCode !== 200) throw new Error(`GET ${path} was answered with ${statusCode}`)
}

async function timesOf(url, paths) {
  const times = []
  for (const path of paths) {
    const startedMs = performance.now()
    await readPage(url, path)
    times.push(performance.now() - startedMs)
  }
  return times
}

const ASKED = Object.values(QUESTIONS)
  .flat()
  .map(([question]) => question)

function readJson(name) {
  return JSON.parse(readFileSync(join(JUDGED, `${name}.json`), 'utf8'))
}
