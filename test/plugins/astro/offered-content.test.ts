import { pathToFileURL } from 'node:url'
import { watch } from 'chokidar'
import { expect, onTestFinished, test } from 'vitest'
import { createAdapter } from '../../../src/plugins/adapter/create-adapter.ts'
import { createLiveFeed } from '../../../src/plugins/astro/live-feed.ts'
import { fillCollection } from '../../../src/plugins/astro/loaders.ts'
import {
  contentHook,
  isOffered,
  offerContent,
  withdrawContent,
} from '../../../src/plugins/astro/offered-content.ts'
import { article, configFile, createProject } from '../../support/project.ts'

const PROJECT = {
  'kb.config.ts': configFile({ defaults: { status: 'published' } }),
  'content/one.md': article('One'),
  'content/two.md': article('Two', { status: 'draft' }),
}

function offer(cwd: string, drafts: boolean) {
  const host = { cwd, mode: 'dev', env: {}, info: () => {}, warn: () => {} } as const
  const feed = createLiveFeed(createAdapter({ drafts }, host), () => Promise.resolve())
  return { feed, mode: 'dev', config: undefined } as const
}

test('collections continue with the integration that replaces theirs, since Astro does not restart them', async () => {
  const { root } = createProject(PROJECT)
  const [first, second] = [offer(root, false), offer(root, true)]
  const taken: string[][] = []
  await offerContent('site', first)
  first.feed.subscribe('kb', ({ view }, adapter) => {
    taken.push(view.articles.map(({ id }) => `${id}: ${adapter.readBody(id)?.html.trim()}`))
    return Promise.resolve()
  })
  await first.feed.check()
  await offerContent('site', second)
  await second.feed.check()
  await first.feed.check()
  const [one, two] = ['one: <p>Text of One.</p>', 'two: <p>Text of Two.</p>']
  expect(taken).toEqual([[one], [one, two]])
  await withdrawContent('site')
  expect(isOffered('site')).toBe(false)
  await first.feed.close()
})

test('a collection that is filled while the content is replaced follows the new content', async () => {
  const { root } = createProject(PROJECT)
  const [first, second] = [offer(root, false), offer(root, true)]
  const integrations = [{ name: 'kb-sync', hooks: contentHook(() => 'site') }]
  const config = { root: pathToFileURL(root), integrations }
  const taken: number[] = []
  await offerContent('site', first)
  const filling = fillCollection({ config, collection: 'kb' }, undefined, ({ view }) => {
    taken.push(view.articles.length)
    return Promise.resolve()
  })
  await offerContent('site', second)
  await filling
  await second.feed.check()
  expect(taken).toEqual([1, 2, 2])
  await withdrawContent('site')
})

test('a collection gets a change that was checked while it was filled', async () => {
  const { root, write } = createProject(PROJECT)
  const content = offer(root, false)
  const config = {
    root: pathToFileURL(root),
    integrations: [{ name: 'kb-sync', hooks: contentHook(() => 'site') }],
  }
  const taken: string[][] = []
  await offerContent('site', content)
  await fillCollection({ config, collection: 'kb' }, undefined, async ({ view }) => {
    taken.push(view.articles.map(({ id }) => id))
    if (taken.length > 1) return
    write({ 'content/three.md': article('Three') })
    await content.feed.check()
  })
  expect(taken).toEqual([['one'], ['one', 'three']])
  await withdrawContent('site')
})

test('a change before the watcher of the server is ready is checked', async () => {
  const { root, path, write } = createProject(PROJECT)
  const { feed } = offer(root, false)
  await feed.check()
  const watcher = watch(path('content'), { ignoreInitial: true })
  onTestFinished(async () => {
    await watcher.close()
    await feed.close()
  })
  await feed.follow(watcher)
  const checked = new Promise<readonly string[]>((resolve) => {
    feed.subscribe('kb', ({ view }) => Promise.resolve(resolve(view.articles.map(({ title }) => title))))
  })
  write({ 'content/one.md': article('Another') })
  expect(await checked).toEqual(['Another'])
})
