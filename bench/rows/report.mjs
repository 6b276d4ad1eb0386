// kb report: over a target whose every article has a file, and over lists that no memory holds.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { writeProject } from '../corpus/write-project.mjs'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { measurePeak } from '../measure/peak-memory.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY } from './server-requests.mjs'

const LIST_SERVER = fileURLToPath(new URL('../floors/list-server.mjs', import.meta.url))
const READ_LISTS = fileURLToPath(new URL('../floors/read-lists.mjs', import.meta.url))

const LINKS_PER_ARTICLE = 10

/** Time and peak memory of reports. */
export async function measureReport(context) {
  return [...(await measureJoined(context)), ...(await measureLong(context))]
}

async function measureJoined({ documents, scratch, slowRuns, reported: { articles } }) {
  const linked = documents.map((document) => ({ ...document, body: withLinks(document) }))
  const project = writeProject(join(scratch, 'reported'), linked, articles)
  const { folder, port, links } = await syncAndKeepLists(project, scratch)
  const server = await startServer([LIST_SERVER, port, folder])
  try {
    const env = { KB_URL: server.url, KB_API_KEY: API_KEY }
    const args = reportArgs(project.root)
    const [ours, bare] = await compare(
      [
        { name: 'kb report', run: () => runNode(args, { env }).ms },
        { name: 'bare read and parse of the lists', run: () => runNode([READ_LISTS], { env }).ms },
      ],
      { runs: slowRuns },
    )
    const title = `report, ${inWords(articles)} articles, ${inWords(links)} links`
    return [
      { title, unit: 'ms', ours: ours.samples, beside: [bare] },
      { title: '  its peak memory', unit: 'MiB', ours: [measurePeak(args, scratch, env)], beside: [] },
    ]
  } finally {
    await server.stop()
  }
}

/** Syncs to our server, which knows no broken link yet; its lists are kept with every tenth one broken. */
async function syncAndKeepLists({ root }, scratch) {
  const db = join(scratch, 'reported.db')
  const args = [BINARY, 'serve', '--json', '--port', '0', '--db', db, '--cwd', root, '--check-links', 'off']
  const server = await startServer([...args, '--log-level', 'silent'], { KB_API_KEY: API_KEY })
  const folder = join(scratch, 'lists')
  mkdirSync(folder)
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
  }
}

async function readList(url, list) {
  const headers = { authorization: `Bearer ${API_KEY}` }
  const { body } = await request(`${url}/api/v2/tools/${list}`, { headers })
  return body.json()
}

async function measureLong({ small, scratch, reported: { entries } }) {
  const rows = []
  for (const count of entries) {
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

function reportArgs(root) {
  return [BINARY, 'report', '--json', '--no-history', '--out', join(root, 'report.json'), '--cwd', root]
}

function withLinks({ name, body }) {
  const links = Array.from({ length: LINKS_PER_ARTICLE }, (_, index) => {
    return `- [Link ${index}](https://host-${index}.example.com/${name}/${index})`
  })
  return `${body}\n\n${links.join('\n')}\n`
}

function inWords(count) {
  return count.toLocaleString('en-US')
}
