// `kb watch` on a content of its own, beside the least that a watch can do; its pages in a real browser; and what it uses
// while it runs for long, or while nothing happens.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeProject } from '../corpus/write-project.mjs'
import { BINARY } from '../kb.mjs'
import { runNode } from '../measure/run-process.mjs'
import { startServer } from '../measure/start-server.mjs'
import { startWatch } from '../measure/start-watch.mjs'
import { createReadableCheck } from '../measure/until-readable.mjs'
import { API_KEY } from './server-requests.mjs'
import { measureSeen } from './watch-browser.mjs'
import { startFloor } from './watch-floor.mjs'
import { measureReadable } from './watch-readable.mjs'
import { measureIdle, measureLongRun } from './watch-usage.mjs'

export async function measureWatch({ scratch, documents, watched }) {
  const { root, content } = writeProject(join(scratch, 'watched'), documents, watched.articles)
  const project = { root, content, db: join(root, '.kb', 'kb.db') }
  const { stdout } = runNode([BINARY, 'sync', '--json', '--cwd', project.root])
  const articles = articlesOf(JSON.parse(stdout))
  const bare = copyOf(project, join(scratch, 'bare'))
  const closers = []
  const open = async (opening) => {
    const opened = await opening
    closers.unshift(opened)
    return opened
  }
  try {
    const edited = spread(articles, watched.edits)
    const served = await open(serve(project.root, project.db))
    const bareServed = await open(serve(bare.root, bare.db))
    await open(startFloor({ ...bareServed, content: bare.content, articles: edited, scratch }))
    const watch = await open(startWatch(project.root, scratch))
    const sides = { ours: { ...served, content }, floor: { ...bareServed, content: bare.content } }
    return [
      ...(await measureReadable(sides, edited)),
      ...(await measureSeen(watch, content, edited)),
      await measureIdle(watch),
      ...(await measureLongRun(watch, content, articles, watched.counts)),
    ]
  } finally {
    for (const { stop } of closers) await stop()
  }
}

/** Every article's file, relative to the content folder, with its id and the path of its page. */
function articlesOf({ operations }) {
  return operations
    .filter(({ kind, outcome }) => kind === 'article' && outcome === 'done')
    .map(({ source, slug, id }) => ({ source, id, page: `articles/${slug}` }))
}

/** `count` of them, from everywhere in the list. */
function spread(articles, count) {
  return Array.from({ length: count }, (_, index) => articles[Math.floor((index * articles.length) / count)])
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
