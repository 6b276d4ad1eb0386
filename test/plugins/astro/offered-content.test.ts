import { expect, test } from 'vitest'
import { createAdapter } from '../../../src/plugins/adapter/create-adapter.ts'
import { createLiveFeed } from '../../../src/plugins/astro/live-feed.ts'
import { isOffered, offerContent, withdrawContent } from '../../../src/plugins/astro/offered-content.ts'
import { article, configFile, createProject } from '../../support/project.ts'

test('collections continue with the integration that replaces theirs, since Astro does not restart them', async () => {
  const project = createProject({
    'kb.config.ts': configFile({ defaults: { status: 'published' } }),
    'content/one.md': article('One'),
    'content/two.md': article('Two', { status: 'draft' }),
  })
  const offerOf = (drafts: boolean) => {
    const host = { cwd: project.root, mode: 'dev', env: {}, info: () => {}, warn: () => {} } as const
    const feed = createLiveFeed(createAdapter({ drafts }, host), () => Promise.resolve())
    return { feed, mode: 'dev', config: undefined } as const
  }
  const [first, second] = [offerOf(false), offerOf(true)]
  const taken: string[][] = []
  await offerContent('site', first)
  first.feed.subscribe('kb', ({ view }, adapter) => {
    taken.push(view.articles.map(({ id }) => `${id}: ${adapter.readBody(id)?.html.trim()}`))
    return Promise.resolve()
  })
  await first.feed.look()
  await offerContent('site', second)
  await second.feed.look()
  await first.feed.look()
  const [one, two] = ['one: <p>Text of One.</p>', 'two: <p>Text of Two.</p>']
  expect(taken).toEqual([[one], [one, two]])
  await withdrawContent('site')
  expect(isOffered('site')).toBe(false)
  await first.feed.close()
})
