// The built-in server as `kb serve` runs it, beside bare node:http; all are driven through HTTP in the same way.
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { drive } from '../measure/drive.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, createRequests, readRequests, readText, updateRequests } from './server-requests.mjs'

const BARE = fileURLToPath(new URL('../floors/http-server.mjs', import.meta.url))

/** A file system in memory, where an fsync costs nothing. */
const RAM_DISK = '/dev/shm'

/** Articles that everyone reads: their answers fit any cache. */
const POPULAR = 100

/** Writes and reads per second. */
export async function measureServer(context) {
  const ramDisk = existsSync(RAM_DISK) ? mkdtempSync(join(RAM_DISK, 'kb-bench-')) : undefined
  const started = []
  try {
    const urls = await startAll(context, ramDisk, started)
    return [
      await measureCreates(context, urls),
      await measureUpdates(context, urls),
      ...(await measureReads(context, urls)),
    ]
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    if (ramDisk !== undefined) rmSync(ramDisk, { recursive: true })
  }
}

async function startAll({ scratch, small }, ramDisk, started) {
  const start = async (args, env, stderr) => {
    const server = await startServer(args, env, stderr)
    started.push(server)
    return server.url
  }
  const serve = (db, logLevel = 'silent', stderr = 'inherit') => {
    const quiet = ['--log-level', logLevel, '--check-links', 'off']
    const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', small.root, ...quiet]
    return start(args, { KB_API_KEY: API_KEY }, stderr)
  }
  const db = join(scratch, 'served.db')
  return {
    durable: await serve(db),
    logged: await serve(db, 'info', openSync(join(scratch, 'served.log'), 'a')),
    unsynced: ramDisk && (await serve(join(ramDisk, 'served.db'))),
    bare: await start([BARE, 'forget']),
    append: await start([BARE, 'append', join(scratch, 'appended')]),
    insert: await start([BARE, 'insert', join(scratch, 'inserted.db')]),
  }
}

async function measureCreates({ documents, requests, runs }, urls) {
  const busy = []
  const makeFor = (category) => (round) => createRequests(documents, { count: requests, category, round })
  const forAny = makeFor('none')
  const [ours, bare, append, insert, unsynced] = await compare(
    [
      driven('kb serve', urls.durable, makeFor(await categoryOf(urls.durable)), busy),
      driven('node:http, parsed, not stored', urls.bare, forAny, busy),
      driven('node:http, appended with fsync', urls.append, forAny, busy),
      driven('node:http, one SQLite insert', urls.insert, forAny, busy),
      ...(urls.unsynced
        ? [driven('kb serve on a RAM disk', urls.unsynced, makeFor(await categoryOf(urls.unsynced)), busy)]
        : []),
    ],
    { runs },
  )
  return {
    title: 'server: durable creates',
    unit: 'per second',
    ours: ours.samples,
    beside: [
      { ...bare, goal: '>= 0.5x' },
      append,
      { ...insert, goal: '>= 0.8x' },
      ...(unsynced ? [{ ...unsynced, goal: '>= 0.9x' }] : []),
    ],
    generatorBusy: Math.max(...busy),
  }
}

async function measureUpdates({ documents, requests, runs }, urls) {
  const busy = []
  const makeFor = (category, ids) => (round) =>
    updateRequests(documents, { count: requests, category, round, ids })
  const ids = (await reviewedIds(urls.durable)).slice(0, requests)
  const ours = driven('kb serve', urls.durable, makeFor(await categoryOf(urls.durable), ids), busy)
  const forAny = makeFor('none', ['any'])
  const [updates, bare, append] = await compare(
    [
      ours,
      driven('node:http, parsed, not stored', urls.bare, forAny, busy),
      driven('node:http, appended with fsync', urls.append, forAny, busy),
    ],
    { runs },
  )
  return {
    title: 'server: durable updates in place',
    unit: 'per second',
    ours: updates.samples,
    beside: [bare, append],
    generatorBusy: Math.max(...busy),
  }
}

async function measureReads({ requests, runs, scratch }, urls) {
  const paths = (await reviewedIds(urls.durable)).slice(0, requests).map((id) => `/api/v2/articles/${id}`)
  await loadBareServer(urls, paths, join(scratch, 'answers.json'))
  const rows = []
  for (const read of [paths.slice(0, POPULAR), paths]) {
    const busy = []
    const all = readRequests(read, requests * 2)
    const [ours, bare, logged] = await compare(
      [
        driven('kb serve', urls.durable, () => all, busy),
        driven('node:http, same bytes', urls.bare, () => all, busy),
        driven('kb serve with a line of log each', urls.logged, () => all, busy),
      ],
      { runs },
    )
    rows.push({
      title: `server: reads of ${read.length.toLocaleString('en-US')} articles`,
      unit: 'per second',
      ours: ours.samples,
      beside: [{ ...bare, goal: '>= 0.7x' }, logged],
      generatorBusy: Math.max(...busy),
    })
  }
  return rows
}

async function categoryOf(url) {
  return JSON.parse(await readText(url, '/api/v2/categories')).data[0].id
}

async function reviewedIds(url) {
  return JSON.parse(await readText(url, '/api/v2/tools/review_dates')).data.map(({ id }) => id)
}

async function loadBareServer({ durable, bare }, paths, file) {
  const answers = {}
  for (const path of paths) answers[path] = await readText(durable, path)
  writeFileSync(file, JSON.stringify(answers))
  const { body } = await request(`${bare}/load`, { method: 'PUT', body: file })
  await body.dump()
}

/** A contender whose value is its answers per second. */
export function driven(name, url, makeRequests, busy) {
  let requests = []
  return {
    name,
    prepare(round) {
      requests = makeRequests(round)
    },
    async run() {
      const result = await drive(url, requests)
      busy.push(result.busy)
      return result.rate
    },
  }
}
