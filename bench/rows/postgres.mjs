// The built-in server on PostgreSQL, in one process and in several on one database, beside bare inserts of the same
// rows. The links of articles are not among them: the server derives them when it is idle, or every 15 seconds.
import { createRowInserter } from '../floors/insert-rows.mjs'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { driveAll } from '../measure/drive.mjs'
import { startPostgres } from '../measure/start-postgres.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, batchRequests, createRequests, readText } from './server-requests.mjs'

const PROCESSES = [1, 2, 4]

/** Creates of one article each, on so many connections; creates of several in a request, on fewer. */
const SINGLE = { title: 'creates', size: 1, connections: 32, goal: '>= 0.6x' }
const GROUPED = { title: 'creates, 32 a request', size: 32, connections: 4, goal: '>= 0.5x' }

/** The transactions of one site exclude each other until they are on disk, so that this is as fast as they can be. */
const IN_TURN = { connections: 1, size: 32 }

export async function measurePostgres(context) {
  const postgres = await startPostgres()
  const db = postgres.urlOf('postgres')
  const started = []
  try {
    for (let each = 0; each < Math.max(...PROCESSES); each++) started.push(await serve(context, db))
    const urls = started.map(({ url }) => url)
    return [
      ...(await measureCreates(context, { urls, db, ...SINGLE })),
      ...(await measureCreates(context, { urls, db, ...GROUPED })),
    ]
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    await postgres.stop()
  }
}

function serve({ small }, db) {
  const quiet = ['--log-level', 'silent', '--check-links', 'off']
  const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', small.root, ...quiet]
  return startServer(args, { KB_API_KEY: API_KEY })
}

async function measureCreates(
  { documents, requests: count, runs },
  { urls, db, title, size, connections, goal },
) {
  const category = JSON.parse(await readText(urls[0], '/api/v2/categories')).data[0].id
  const busy = []
  const ours = PROCESSES.map((processes) => {
    let requests = []
    const listed = []
    return {
      name: `${processes}`,
      listed,
      prepare(round) {
        const creates = createRequests(documents, { count, category, round: `${size}-${processes}-${round}` })
        requests = size === 1 ? creates : batchRequests(creates, size)
      },
      async run() {
        const result = await driveAll(urls.slice(0, processes), requests, connections)
        busy.push(result.busy)
        // The list derives the links first, so that no server does it while the next one is measured.
        const started = performance.now()
        await readText(urls[0], '/api/v2/tools/link_manager?limit=1')
        listed.push(count / (requests.length / result.rate + (performance.now() - started) / 1000))
        return result.rate * size
      },
    }
  })
  const inserters = [await createRowInserter(db, { connections, size }), await createRowInserter(db, IN_TURN)]
  const bare = inserters.map((inserter, index) => {
    let groups = []
    return {
      name: `bare ${index}`,
      async prepare(round) {
        groups = await inserter.copyRows(`round-${size}-1-${round}-`, `${index}-${round}-`)
      },
      run: () => inserter.insert(groups, count),
    }
  })
  const measured = await measureAndClose([...ours, ...bare], runs, inserters)
  const [free, inTurn] = measured.splice(PROCESSES.length)
  return measured.flatMap((own, index) => {
    const of = `${own.name} process${own.name === '1' ? '' : 'es'}`
    const row = { unit: 'per second', generatorBusy: Math.max(...busy) }
    return [
      {
        ...row,
        title: `PostgreSQL: ${title}, ${of}`,
        ours: own.samples,
        beside: [
          { name: 'bare inserts of the rows', samples: free.samples, goal },
          { name: 'one transaction after another', samples: inTurn.samples },
        ],
      },
      {
        ...row,
        title: `PostgreSQL: ${title}, ${of}, until their links are listed`,
        ours: ours[index].listed.slice(-runs),
        beside: [],
      },
    ]
  })
}

async function measureAndClose(contenders, runs, inserters) {
  try {
    return await compare(contenders, { runs })
  } finally {
    await Promise.all(inserters.map((inserter) => inserter.close()))
  }
}
