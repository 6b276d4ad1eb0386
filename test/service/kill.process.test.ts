// A server that is killed in the middle of a load of writes has every write that it acknowledged, exactly so, and of the
// others none by halves. KILLS sets how often, SEED which moments.
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { type KillableServer, startKillableServer } from './killable-server.ts'
import { type Ledger, readVersions, type Version, writeUntilGone } from './write-load.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'

const RUNS = readRuns('KILLS', 5)
const { numRuns: KILLS, seed: SEED } = RUNS

test(`nothing acknowledged is lost (seed ${SEED})`, timeoutOf(RUNS, 20_000), async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const random = seededRandom(SEED)
  const ledger: Ledger = new Map()
  let acknowledged = 0
  let server = await startKillableServer(db)
  onTestFinished(() => server.kill())
  let found = await readVersions(server)
  for (let round = 0; round < KILLS; round++) {
    const ids = new Map([...found].map(([slug, { id }]) => [slug, id]))
    acknowledged += await killWhileWriting(server, { round, ledger, ids, random })
    server = await startKillableServer(db)
    found = await readVersions(server)
    settle(ledger, found, { round, acknowledged })
    expect(inspect(db)).toEqual({ integrity: 'ok', orphans: [], counts: ledger.size, articles: ledger.size })
  }
  expect(acknowledged).toBeGreaterThan(0)
})

interface Load {
  readonly round: number
  readonly ledger: Ledger
  readonly ids: ReadonlyMap<string, string>
  readonly random: () => number
}

/** How many writes were acknowledged before the server was gone. */
async function killWhileWriting(server: KillableServer, load: Load): Promise<number> {
  // Right after a write has left, the server is at work on it; after an acknowledgement, on the next ones.
  const moment = load.random() < 0.5 ? 'sent' : 'acknowledged'
  let left = 1 + Math.floor(load.random() * 150)
  let acknowledged = 0
  let killed: Promise<void> | undefined
  await writeUntilGone({
    ...load,
    server,
    onEvent(event) {
      if (event === 'acknowledged') acknowledged++
      if (event === moment && --left === 0) killed = server.kill()
    },
  })
  await killed
  return acknowledged
}

/** Everything found must be something that may be found; from here on it is what is there. */
function settle(
  ledger: Ledger,
  found: ReadonlyMap<string, { readonly version: Version }>,
  at: { readonly round: number; readonly acknowledged: number },
): void {
  expect([...found.keys()].filter((slug) => !ledger.has(slug))).toEqual([])
  for (const [slug, possible] of ledger) {
    const version = found.get(slug)?.version
    const fitting = possible.filter(
      (each) => JSON.stringify(sorted(each)) === JSON.stringify(sorted(version)),
    )
    if (fitting.length === 0) expect({ at, slug, found: version }).toEqual({ at, slug, found: possible })
    if (version === undefined) ledger.delete(slug)
    else ledger.set(slug, [version])
  }
}

function sorted(version: Version | undefined): Version | undefined {
  if (version === undefined) return undefined
  const { name, slug, content, order, categories, tags, links } = version
  return {
    name,
    slug,
    content,
    order,
    categories: categories.toSorted(),
    tags: tags.toSorted(),
    links: links.toSorted(),
  }
}

/** What the database itself says, past the service. */
function inspect(db: string) {
  const connection = new Libsql(db, { timeout: 10 })
  try {
    const value = (sql: string) => Object.values(connection.prepare(sql).get() as object)[0] as unknown
    return {
      integrity: value('pragma integrity_check'),
      orphans: connection.prepare('pragma foreign_key_check').all(),
      counts: value('select sum(article_count) from sites'),
      articles: value('select count(*) from articles'),
    }
  } finally {
    connection.close()
  }
}

function seededRandom(seed: number): () => number {
  let state = seed
  // mulberry32: small, and good enough to choose moments.
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
