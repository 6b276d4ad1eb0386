// The pages for readers as `kb serve --pages` makes them, beside a static file server that sends the same HTML.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BINARY } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, readText } from './server-requests.mjs'
import { driven } from './server.mjs'

const STATIC = fileURLToPath(new URL('../floors/static-files.mjs', import.meta.url))

/** Articles that are read in turn: those that most readers want, and more than any cache of pages holds. */
const READ = [100, 2000]

/** Pages per second. */
export async function measurePages({ project, scratch, requests, runs }) {
  const started = []
  try {
    const quiet = ['--log-level', 'silent', '--check-links', 'off']
    const start = async (args) => {
      const server = await startServer(args, { KB_API_KEY: API_KEY })
      started.push(server)
      return server.url
    }
    const ours = await start([
      BINARY,
      'serve',
      '--json',
      '--port',
      '0',
      '--pages',
      '--cwd',
      project.root,
      ...quiet,
    ])
    const paths = await articlePaths(ours, Math.max(...READ))
    const folder = join(scratch, `pages-${project.files.length}`)
    await savePages(ours, paths, folder)
    const files = await start([STATIC, folder])
    const rows = []
    for (const count of READ) {
      const busy = []
      const read = paths.slice(0, count)
      const all = Array.from({ length: requests }, (_, index) => ({
        method: 'GET',
        path: read[index % read.length],
      }))
      const [pages, bare] = await compare(
        [driven('kb serve --pages', ours, () => all, busy), driven('static files', files, () => all, busy)],
        { runs },
      )
      rows.push({
        title: `pages of ${read.length.toLocaleString('en-US')} articles`,
        unit: 'per second',
        ours: pages.samples,
        beside: [{ ...bare, goal: '>= 0.5x' }],
        generatorBusy: Math.max(...busy),
      })
    }
    return rows
  } finally {
    await Promise.all(started.map((server) => server.stop()))
  }
}

/** The paths of articles in the list of all. */
async function articlePaths(url, count) {
  const paths = []
  let next = '/search'
  while (next !== undefined && paths.length < count) {
    const page = await readText(url, next)
    const main = page.slice(page.indexOf('<main'))
    paths.push(...[...main.matchAll(/href="(\/articles\/[^"]+)"/g)].map(([, path]) => unescape(path)))
    const [, more] = /rel="next" href="([^"]+)"/.exec(main) ?? []
    next = more && unescape(more)
  }
  return paths.slice(0, count)
}

async function savePages(url, paths, folder) {
  mkdirSync(folder, { recursive: true })
  for (const path of paths) writeFileSync(join(folder, encodeURIComponent(path)), await readText(url, path))
}

function unescape(text) {
  return text.replaceAll('&amp;', '&')
}
