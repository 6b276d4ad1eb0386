// `kb watch` beside the least that a watch can do; its pages in a real browser; and what it uses while it runs for long,
// or while nothing happens.
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, databaseOf } from '../kb.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startServer } from '../measure/start-server.mjs'
import { startWatch } from '../measure/start-watch.mjs'
import { createReadableCheck } from '../measure/until-readable.mjs'
import { API_KEY } from './server-requests.mjs'
import { measureSeen } from './watch-browser.mjs'
import { countOf } from './no-op.mjs'
import { writeFloor } from './watch-floor.mjs'
import { measureReadable } from './watch-readable.mjs'
import { measureIdle, measureLongRun } from './watch-usage.mjs'

/** From a start to the watch, and from a save to the article as it is read. */
export async function measureWatch({ project, scratch, watched }) {
  const title = `watch, ${countOf(project)}`
  return withWatch({ project, scratch, edits: watched.edits }, async ({ watch, sides, edited, startMs }) => [
    {
      title: `${title}: start to ready`,
      unit: 'ms',
      ours: [startMs.ours],
      beside: [{ name: 'bare chokidar', samples: [startMs.floor] }],
    },
    ...(await measureReadable(title, sides, edited)),
    await measureIdle(title, watch),
  ])
}

/** The page in a real browser, and the memory of a long run, in the smallest project. */
export async function measureLongWatch({ project, scratch, watched }) {
  if (!existsSync(databaseOf(project.root))) runNode([BINARY, 'sync', '--quiet', '--cwd', project.root])
  return withWatch({ project, scratch, edits: watched.edits }, async ({ watch, edited }) => [
    ...(await measureSeen(watch, project.content, edited)),
    ...(await measureLongRun(watch, project.content, edited, watched.counts)),
  ])
}

/** Starts a watch of a synced project, the least that a watch can do on a copy of it, and a server on either database. */
async function withWatch({ project: { root, content, files }, scratch, edits }, measure) {
  const project = { root, content, db: databaseOf(root) }
  const edited = editAndSync(project, spread(files, Math.min(edits, files.length)))
  const bare = copyOf(project, join(scratch, 'bare'))
  const closers = []
  const startMs = {}
  const open = async (opening, side) => {
    const started = performance.now()
    const opened = await opening()
    if (side !== undefined) startMs[side] = performance.now() - started
    closers.unshift(opened)
    return opened
  }
  try {
    const served = await open(() => serve(root, project.db))
    const bareServed = await open(() => serve(bare.root, bare.db))
    const floor = await writeFloor({ ...bareServed, content: bare.content, articles: edited, scratch })
    await open(() => startServer(floor), 'floor')
    const watch = await open(() => startWatch(root, scratch), 'ours')
    const sides = { ours: { ...served, content }, floor: { ...bareServed, content: bare.content } }
    return await measure({ watch, sides, edited, startMs })
  } finally {
    for (const { stop } of closers) await stop()
    rmSync(bare.root, { recursive: true, force: true })
  }
}

/** Edits files and sends them: what is sent tells the id and the page of each. */
function editAndSync({ root }, files) {
  for (const file of files) appendFileSync(file, `\nEdited before the watch.\n`)
  const { stdout } = runNode([BINARY, 'sync', '--json', '--cwd', root])
  return JSON.parse(stdout)
    .operations.filter(({ kind, outcome }) => kind === 'article' && outcome === 'done')
    .map(({ source, slug, id }) => ({ source, id, page: `articles/${slug}` }))
}

/** `count` of them, from everywhere in the list. */
function spread(all, count) {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)])
}

/** Content and database of a synced project, elsewhere; articles have the same ids there. */
function copyOf({ content, db }, folder) {
  const copy = { root: folder, content: join(folder, 'content'), db: join(folder, 'kb.db') }
  mkdirSync(folder)
  cpSync(content, copy.content, { recursive: true })
  cpSync(db, copy.db)
  return copy
}

/** A server on that database, through which articles are read as their readers do. */
async function serve(root, db) {
  const args = ['--db', db, '--cwd', root, '--log-level', 'silent', '--check-links', 'off']
  const server = await startServer([BINARY, 'serve', '--json', '--port', '0', ...args], {
    KB_API_KEY: API_KEY,
  })
  const check = createReadableCheck(server.url, db)
  return {
    url: server.url,
    untilReadable: (id, text) => check.untilReadable(id, text),
    async stop() {
      check.close()
      await server.stop()
    },
  }
}
