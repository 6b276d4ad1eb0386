// Sends the judged questions to the search of a server.
import { onTestFinished } from 'vitest'
import { createSiteCatalog } from '../../../src/server/pages/site-catalog.ts'
import { createStoreSearch } from '../../../src/server/pages/store-search.ts'
import { createMemoryIndex } from '../../../src/web/pages/search/create-memory-index.ts'
import { loadLanguageWords } from '../../../src/web/pages/search/language-words.ts'
import { searchByWords } from '../../../src/web/pages/search/search-by-words.ts'
import { runSteps } from '../../../src/web/pages/search/steps.ts'
import { searchEntriesOf } from '../../../src/web/pages/search/word-index.ts'
import { createArticle, type TestServer } from '../../support/server.ts'
import { readArticles, readQuestions } from '../../web/pages/search/judged/judge.ts'

/** Number of compared results. */
const LIMIT = 20

/** The slugs of the results of each question, and their number. */
type Answers = Record<string, readonly [total: number, slugs: readonly string[]]>

/** Returns the expected results of a database. */
export async function answersInMemory(): Promise<Answers> {
  const words = await loadLanguageWords('en')
  const index = createMemoryIndex()
  const articles = readArticles('vite')
  // Articles with equal scores are sorted by their ids, which increase.
  const idOf = (at: number) => String(at).padStart(4, '0')
  for (const [at, { title, html }] of articles.entries())
    index.put({ id: idOf(at), entries: runSteps(searchEntriesOf({ title, html }, words)) })
  const answers: Answers = {}
  for (const [question] of readQuestions('vite')) {
    const { total, ids } = await searchByWords(index, question, words)
    answers[question] = [
      total,
      ids.slice(0, LIMIT).map((id) => articles[Number(id)]?.slug.replace('/', '-') ?? ''),
    ]
  }
  return answers
}

/** Returns the results of the database of an empty server. */
export async function answersOfServer(server: TestServer): Promise<Answers> {
  for (const { slug, title, html } of readArticles('vite'))
    await createArticle(server, { slug: slug.replace('/', '-'), title, content: html })
  const { store } = server
  const siteId = store.defaultSiteId
  const { search, close } = createStoreSearch({ store, siteId, catalog: createSiteCatalog(store, siteId) })
  onTestFinished(close)
  const answers: Answers = {}
  for (const [text] of readQuestions('vite')) {
    const { total, hits } = await search({ viewer: 'reader', text, language: 'en', skip: 0, limit: LIMIT })
    answers[text] = [total, hits.map(({ slug }) => slug)]
  }
  return answers
}
