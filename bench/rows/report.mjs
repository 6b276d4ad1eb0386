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

/** A report on a project, beside reading and parsing the same lists; the links are those of its documents. */
export async function measureReport({ project, scratch, slowRuns }) {
  const { folder, port, links } = await syncAndKeepLists(project, scratch)
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
    const title = `report, ${inWords(project.files.length)} documents`
    return [
      { title, unit: 'ms', ours: ours.samples, beside: [{ ...bare, goal: '<= 2x' }], links },
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

/**
 * Serves a copy of the project's database, which has its categories, so that a sync finds each article there. The
 * server knows no broken link yet: its lists are kept with every tenth one broken.
 */
async function syncAndKeepLists({ root }, scratch) {
  const db = join(scratch, 'reported.db')
  cpSync(databaseOf(root), db)
  const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', root, '--check-links', 'off']
  const server = await startServer([...args, '--log-level', 'silent'], { KB_API_KEY: API_KEY })
  const folder = mkdtempSync(join(scratch, 'lists-'))
  try {
    runNode([BINARY, 'sync', '--quiet', '--cwd', root], { env: { KB_URL: server.url, KB_API_KEY: API_KEY } })
    const dates = await readList(server.url, 'review_dates')
    const links = await readList(server.url, 'link_manager')
    const broken = links.data.map((link, index) => ({ ...link, working: index % 10 !== 0 }))
    writeFileSync(join(folder, 'review_dates.json'), JSON.stringify(dates))
    writeFileSync(join(folder, 'link_manager.json'), JSON.stringify({ ...links, data: broken }))
    return { folder, port: new URL(server.url).port, links: broken.length }
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
