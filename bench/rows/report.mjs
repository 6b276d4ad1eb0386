// kb report: over the lists of a target whose every article has a file, and over lists that no memory holds.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { BINARY, databaseOf } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { measurePeak } from '../measure/peak-memory.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY } from './server-requests.mjs'

const LIST_SERVER = fileURLToPath(new URL('../floors/list-server.mjs', import.meta.url))
const READ_LISTS = fileURLToPath(new URL('../floors/read-lists.mjs', import.meta.url))

/** One link in so many is broken: few as in a knowledge base that is checked, and many. */
const SHARES = [1000, 10]

/**
 * Reports on a project, beside reading and parsing the same lists; the links are those of its documents. With few broken
 * links, the lists determine the time, with many the findings.
 */
export async function measureReport({ project, scratch, slowRuns }) {
  const { port, lists } = await syncAndReadLists(project, scratch)
  const rows = []
  for (const share of SHARES)
    rows.push(...(await measureShare(share, { project, scratch, slowRuns, port, ...lists })))
  return rows
}

/** @param share one link in so many is broken */
async function measureShare(share, { project, scratch, slowRuns, port, dates, links }) {
  const broken = links.data.map((link, index) => ({ ...link, working: index % share !== 0 }))
  const folder = mkdtempSync(join(scratch, 'lists-'))
  writeFileSync(join(folder, 'review_dates.json'), JSON.stringify(dates))
  writeFileSync(join(folder, 'link_manager.json'), JSON.stringify({ ...links, data: broken }))
  const server = await startServer([LIST_SERVER, port, folder])
  try {
    const env = { KB_URL: server.url, KB_API_KEY: API_KEY }
    const args = reportArgs(project.root)
    const cpu = { ours: [], bare: [] }
    const timed = (name, side, processArgs) => ({
      name,
      run(round) {
        const { ms, cpuMs } = runNode(processArgs, { env, measuresCpu: true })
        if (round >= 0) cpu[side].push(cpuMs)
        return ms
      },
    })
    const [ours, bare] = await compare(
      [timed('kb report', 'ours', args), timed('bare read and parse of the lists', 'bare', [READ_LISTS])],
      { runs: slowRuns },
    )
    const title = `report, ${inWords(project.files.length)} documents, 1 in ${inWords(share)} links broken`
    return [
      { title, unit: 'ms', ours: ours.samples, beside: [{ ...bare, goal: '<= 2x' }], links: broken.length },
      {
        title: `${title}, CPU`,
        unit: 'ms',
        ours: cpu.ours,
        beside: [{ name: bare.name, samples: cpu.bare, goal: '<= 2x' }],
      },
      { title: `${title}, memory`, unit: 'MiB', ours: [measurePeak(args, scratch, env)], beside: [] },
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Serves a copy of the project's database, which has its categories, so that a sync finds each article there. */
async function syncAndReadLists({ root }, scratch) {
  const db = join(scratch, 'reported.db')
  cpSync(databaseOf(root), db)
  const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', root, '--check-links', 'off']
  const server = await startServer([...args, '--log-level', 'silent'], { KB_API_KEY: API_KEY })
  try {
    runNode([BINARY, 'sync', '--quiet', '--cwd', root], { env: { KB_URL: server.url, KB_API_KEY: API_KEY } })
    const dates = await readList(server.url, 'review_dates')
    const links = await readList(server.url, 'link_manager')
    return { port: new URL(server.url).port, lists: { dates, links } }
  } finally {
    await server.stop()
    for (const end of ['', '-wal', '-shm']) rmSync(`${db}${end}`, { force: true })
  }
}

async function readList(url, list) {
  const headers = { authorization: `Bearer ${API_KEY}` }
  const { body } = await request(`${url}/api/v2/tools/${list}`, { headers })
  return body.json()
}

/** Time and peak memory of reports over lists that no memory holds. */
export async function measureLongReport({ small, scratch, listed }) {
  const rows = []
  for (const count of listed) {
    const server = await startServer([LIST_SERVER, '0', String(count)])
    try {
      rows.push(measureList({ small, scratch, count, env: { KB_URL: server.url, KB_API_KEY: API_KEY } }))
    } finally {
      await server.stop()
    }
  }
  const [shorter, longer] = rows
  const beside = [{ name: 'the same, fewer entries', samples: shorter.peak.ours, goal: '<= 2x' }]
  longer.peak.beside.push(...beside)
  return rows.flatMap(({ time, peak }) => [time, peak])
}

function measureList({ small, scratch, count, env }) {
  const args = reportArgs(small.root)
  const title = `report, ${inWords(count)} entries in each list`
  const bare = { name: 'bare read and parse of the lists' }
  return {
    time: {
      title,
      unit: 'ms',
      ours: [runNode(args, { env }).ms],
      beside: [{ ...bare, samples: [runNode([READ_LISTS], { env }).ms] }],
    },
    peak: {
      title: '  its peak memory',
      unit: 'MiB',
      ours: [measurePeak(args, scratch, env)],
      beside: [{ ...bare, samples: [measurePeak([READ_LISTS], scratch, env)] }],
    },
  }
}

export function reportArgs(root) {
  return [BINARY, 'report', '--json', '--no-history', '--out', join(root, 'report.json'), '--cwd', root]
}

function inWords(count) {
  return count.toLocaleString('en-US')
}
