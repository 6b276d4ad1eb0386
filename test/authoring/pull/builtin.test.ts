// The built-in server as target: edits and new articles through its API, with a clock controlled by the test.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { article, type Files } from '../../support/project.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { SERVICE_KEY } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

const FILES: Files = {
  'content/one.md': article('One', { body: 'Text of One, see [two](two.md).\n\n- a\n- b' }),
  'content/two.md': article('Two'),
}

interface ReadArticle {
  readonly data: Readonly<Record<string, string>>
  readonly categories: readonly { readonly value: string }[]
}

async function startServer() {
  let nowMs = Date.parse('2026-03-01T10:00:00Z')
  const knowledgeBase = await openKnowledgeBase({
    db: `${temporaryFolder()}/kb.db`,
    seed: { categories: [{ name: 'Guides', slug: 'guides' }], tags: [] },
    languages: ['en', 'fr'],
    apiKey: SERVICE_KEY,
    clock: () => new Date(nowMs),
  })
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer: unknown = await (await fetch(`${server.url}/api/v2/${path}`, init)).json()
    expect(answer).toMatchObject({ success: true })
    return answer
  }
  const readAll = async () => {
    const { data } = (await call('GET', 'tools/review_dates')) as { data: { id: string }[] }
    return Promise.all(data.map(async ({ id }) => (await call('GET', `articles/${id}`)) as ReadArticle))
  }
  return {
    url: server.url,
    call,
    readAll,
    /** Edits the text of an article on the target, an hour later. */
    edit: async (slug: string, from: string, to: string) => {
      nowMs += 3_600_000
      const found = (await readAll()).find(({ data }) => data['slug'] === slug)
      if (found === undefined) throw new Error(`there is no article ${slug}`)
      const { id, name: title, content = '', excerpt, order_by: ordering, status } = found.data
      const categories = found.categories.map(({ value }) => ({ value }))
      const body = { title, slug, categories, excerpt, ordering, status, content: content.replace(from, to) }
      await call('POST', `articles/${id ?? ''}`, body)
    },
  }
}

test('an edit and a new article are pulled, and then both sides are equal', async () => {
  const server = await startServer()
  const project = createPullProject(server.url, FILES)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  await server.edit('one', '<li>b</li>', '<li><strong>c</strong></li>')
  const [first] = await server.readAll()
  await server.call('PUT', 'articles', {
    title: 'Three',
    slug: 'three',
    categories: first?.categories.map(({ value }) => ({ value })),
    excerpt: 'By hand.',
    ordering: 0,
    status: 'published',
    content: '<p>By hand, see <a href="/articles/one">one</a>.</p>',
    articleReviewDate: '2027-01-31',
  })
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    created: 1,
    unchanged: 1,
    files: ['update content/one.md done [text]', 'create content/three.md done [text]'],
  })
  expect(project.read('content/one.md')).toBe((FILES['content/one.md'] ?? '').replace('- b', '- **c**'))
  expect(project.read('content/three.md')).toContain('By hand, see [one](one.md).')
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 3, diagnostics: ['link-to-draft'] })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 2 })
  expect(outcomeOf(await project.sync({ verify: true }))).toEqual({
    unchanged: 3,
    diagnostics: ['link-to-draft'],
  })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 3, diagnostics: ['link-to-draft'] })
})
