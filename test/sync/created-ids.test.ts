// How a run uses the ids that a service states for new articles.
import { expect, test } from 'vitest'
import type { Answer } from '../../src/api/client/send-request.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { article, type Files } from '../support/project.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const COUNT = 6
const NUMBERS = [...Array(COUNT).keys()]

/** Articles with the same title. */
const NAMESAKES: Files = Object.fromEntries(
  NUMBERS.map((number) => [`content/page-${number}.md`, article('Overview', { body: `Number ${number}.` })]),
)

/** @param state returns the id that the response to a create states instead of the true one */
function startNamesakes(habits: ServiceHabits = {}, state: (id: string) => string | undefined = (id) => id) {
  const service = createMemoryService({ extensions: ['ids'], ...habits })
  const foreign = service.add({ title: 'Overview', slug: 'foreign' })
  const transmit = service.connect()
  const send = async (request: Parameters<typeof transmit>[0]) => {
    const answer = await transmit(request)
    const location = answer.kind === 'answered' ? String(answer.headers['location'] ?? '') : ''
    if (location === '') return answer
    const stated = state(location.slice(location.lastIndexOf('/') + 1))
    const headers = stated === undefined ? {} : { location: `/api/v2/articles/${stated}` }
    return { ...(answer as Answer), headers }
  }
  const project = createSyncProject('http://service.test', NAMESAKES)
  const client = { send }
  const count = (method: RegExp) => service.requests.filter((each) => method.test(each)).length
  return { service, foreign, project, client, count }
}

async function expectInOrder({ service, project, client, foreign }: ReturnType<typeof startNamesakes>) {
  service.catchUp()
  service.forget()
  expect(outcomeOf(await project.sync({ client }))).toEqual({ unchanged: COUNT })
  // Each record has the id of its own article.
  project.write({ 'content/page-3.md': article('Overview', { body: 'Changed.' }) })
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ replaced: 1, unchanged: COUNT - 1 })
  expect(service.articleAt('page-3').content).toContain('>Changed.</p>')
  expect(service.articleAt('foreign')).toEqual(foreign)
}

test('of articles with the same title, one is read, and one list shows that all exist', async () => {
  const started = startNamesakes()
  const { service, project, client, count } = started
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ created: COUNT })
  const asked = service.requests.slice(service.requests.lastIndexOf('PUT /api/v2/articles') + 1)
  expect(asked).toEqual(['GET /api/v2/tools/review_dates', expect.stringMatching('^GET /api/v2/articles/')])
  expect(count(/^OPTIONS/)).toBe(1)
  await expectInOrder(started)
})

/** `first` is the id of the first article. */
type Lie = (id: string, turn: number, first: string) => string | undefined

const LIES: readonly (readonly [string, Lie])[] = [
  ['none', () => undefined],
  ['the same id for all', (_id, _turn, first) => first],
  ['unknown ids', (id) => `${id}-0`],
  ['some', (id, turn) => (turn % 2 === 0 ? id : undefined)],
]

test.each(LIES)('if a service states %s, the articles themselves are read', async (_, lie) => {
  const ids: string[] = []
  const started = startNamesakes({}, (id) => lie(id, ids.push(id), ids[0] ?? ''))
  const { project, client } = started
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ created: COUNT })
  await expectInOrder(started)
})

test('the id of an existing article is rejected', async () => {
  let foreignId = ''
  const started = startNamesakes({}, () => foreignId)
  foreignId = started.foreign.id
  expect(outcomeOf(await started.project.sync({ client: started.client }))).toMatchObject({ created: COUNT })
  await expectInOrder(started)
})

test('articles in no list are read by their ids', async () => {
  const started = startNamesakes({ listLag: 100, linkLag: 100 })
  const { project, client } = started
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ created: COUNT })
  await expectInOrder(started)
})

test('a service that confirms creates but stores nothing is detected', async () => {
  const service = createMemoryService({ extensions: ['ids'] })
  const transmit = service.connect()
  const send = (request: Parameters<typeof transmit>[0]) =>
    request.method === 'PUT'
      ? Promise.resolve<Answer>({
          kind: 'answered',
          status: 200,
          headers: { location: '/api/v2/articles/17' },
          text: '{"success":true,"message":"Created"}',
        })
      : transmit(request)
  const project = createSyncProject('http://service.test', { 'content/one.md': article('One') })
  expect(outcomeOf(await project.sync({ client: { send } }))).toMatchObject({ failed: 1 })
})
