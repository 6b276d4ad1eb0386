// A file that is emptied and then filled, as development servers see it: their watcher reports only the first step.
import { EventEmitter, once } from 'node:events'
import { watch } from 'chokidar'
import { expect, onTestFinished, test } from 'vitest'
import type { Adapter, ContentReading } from '../../src/plugins/adapter/adapter.ts'
import { createAdapter } from '../../src/plugins/adapter/create-adapter.ts'
import { createLiveFeed } from '../../src/plugins/astro/live-feed.ts'
import { createLoader } from '../../src/plugins/docusaurus/create-loader.ts'
import { startDevSession } from '../../src/plugins/vite/dev-session.ts'
import { article, createProject } from '../support/project.ts'

const FILE = 'content/one.md'

/** Watches like the development servers. */
async function openWatcher(folder: string) {
  const watcher = watch(folder, { ignoreInitial: true })
  onTestFinished(() => watcher.close())
  await once(watcher, 'ready')
  return watcher
}

interface Front {
  readonly adapter: Adapter
  readonly watcher: Awaited<ReturnType<typeof openWatcher>>
  /** Called with every check of the files. */
  readonly take: (reading: ContentReading) => void
}

/** Each checks once, and then after every event of the watcher. */
const FRONTS: Readonly<Record<string, (front: Front) => Promise<void>>> = {
  docusaurus: async ({ adapter, watcher, take }) => {
    const loader = createLoader(adapter)
    const look = async () => take(await loader.load())
    await look()
    let last = Promise.resolve()
    watcher.on('all', () => {
      last = look()
    })
    onTestFinished(async () => {
      await watcher.close()
      await last
    })
  },
  astro: async ({ adapter, watcher, take }) => {
    const feed = createLiveFeed(adapter, async (look) => {
      if (look.kind === 'failed') throw look.error
      take(look.reading)
    })
    onTestFinished(() => feed.close())
    await feed.check()
    await feed.follow(watcher)
  },
  vite: async ({ adapter, watcher, take }) => {
    const session = startDevSession({
      adapter,
      reporter: {
        report: take,
        reportFailure: (error) => {
          throw error
        },
      },
      configCandidates: [],
      watch: () => undefined,
    })
    onTestFinished(() => session.close())
    await session.read()
    watcher.on('all', (_, file) => session.noticed(file))
  },
}

test.each(Object.keys(FRONTS))('%s shows the final content of the file', async (name) => {
  const project = createProject({ [FILE]: article('One') })
  const watcher = await openWatcher(project.path('content'))
  const looks: ContentReading[] = []
  const looked = new EventEmitter()
  const adapter = createAdapter({}, { cwd: project.root, mode: 'dev', env: {}, info: raise, warn: raise })
  onTestFinished(() => adapter.close())
  const take = (reading: ContentReading) => {
    looks.push(reading)
    looked.emit(`${looks.length}`)
  }
  await FRONTS[name]?.({ adapter, watcher, take })
  // An immediate check has read the empty file by then, and the full one has no event.
  watcher.once('change', () => setTimeout(() => project.write({ [FILE]: article('Two') }), 20))
  const second = once(looked, '2')
  project.write({ [FILE]: '' })
  await second
  expect(looks.map(({ view }) => view.articles.map(({ title }) => title))).toEqual([['One'], ['Two']])
})

function raise(text: string): never {
  throw new Error(text)
}
