// The built-in server as `kb serve` runs it, beside bare node:http; both are driven through HTTP in the same way.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { drive } from '../measure/drive.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, createRequests, readRequests, readText } from './server-requests.mjs'

const BARE = fileURLToPath(new URL('../floors/http-server.mjs', import.meta.url))

/** A file system in memory, where an fsync costs nothing. */
const RAM_DISK = '/dev/shm'

/** Articles that everyone reads: their answers fit any cache. */
const POPULAR = 100

/** Creates and reads per second. */
export async function measureServer(context) {
  const { scratch, small } = context
  const ramDisk = existsSync(RAM_DISK) ? mkdtempSync(join(RAM_DISK, 'kb-bench-')) : undefined
  const started = []
  const start = async (args, env) => {
    const server = await startServer(args, env)
    started.push(server)
    return server.url
  }
  const serve = (db) =>
    start([BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', small.root], {
      KB_API_KEY: API_KEY,
    })
  try {
    const urls = {
      durable: await serve(join(scratch, 'served.db')),
      unsynced: ramDisk && (await serve(join(ramDisk, 'served.db'))),
      bare: await start([BARE]),
    }
    return [await measureCreates(context, urls), ...(await measureReads(context, urls))]
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    if (ramDisk !== undefined) rmSync(ramDisk, { recursive: true })
  }
}

async function measureCreates({ documents, requests, runs }, urls) {
  const [category] = JSON.parse(await readText(urls.durable, '/api/v2/categories')).data
  const [ramCategory] = urls.unsynced
    ? JSON.parse(await readText(urls.unsynced, '/api/v2/categories')).data
    : []
  const makeFor = (id) => (round) => createRequests(documents, { count: requests, category: id, round })
  const busy = []
  const [ours, bare, unsynced] = await compare(
    [
      driven('kb serve', urls.durable, makeFor(category.id), busy),
      driven('bare node:http, parsed, not stored', urls.bare, makeFor('none'), busy),
      ...(urls.unsynced
        ? [driven('kb serve on a RAM disk', urls.unsynced, makeFor(ramCategory.id), busy)]
        : []),
    ],
    { runs },
  )
  return {
    title: 'server: durable creates',
    unit: 'per second',
    ours: ours.samples,
    beside: [{ ...bare, goal: '>= 0.5x' }, ...(unsynced ? [{ ...unsynced, goal: '>= 0.9x' }] : [])],
    generatorBusy: Math.max(...busy),
  }
}

async function measureReads({ requests, runs, scratch }, urls) {
  const { data } = JSON.parse(await readText(urls.durable, '/api/v2/tools/review_dates'))
  const paths = data.slice(0, requests).map(({ id }) => `/api/v2/articles/${id}`)
  await loadBareServer(urls, paths, join(scratch, 'answers.json'))
  const rows = []
  for (const read of [paths.slice(0, POPULAR), paths]) {
    const busy = []
    const all = readRequests(read, requests * 2)
    const [ours, bare] = await compare(
      [
        driven('kb serve', urls.durable, () => all, busy),
        driven('bare node:http, same bytes', urls.bare, () => all, busy),
      ],
      { runs },
    )
    rows.push({
      title: `server: reads of ${read.length.toLocaleString('en-US')} articles`,
      unit: 'per second',
      ours: ours.samples,
      beside: [{ ...bare, goal: '>= 0.7x' }],
      generatorBusy: Math.max(...busy),
    })
  }
  return rows
}

async function loadBareServer({ durable, bare }, paths, file) {
  const answers = {}
  for (const path of paths) answers[path] = await readText(durable, path)
  writeFileSync(file, JSON.stringify(answers))
  const { body } = await request(bare, { method: 'POST', body: file })
  await body.dump()
}

/** A contender whose value is its answers per second. */
function driven(name, url, makeRequests, busy) {
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
