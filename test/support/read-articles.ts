// What a service holds, read through the interface alone: as any other client would see it.
import type { z } from 'zod'
import type { readArticleResponse } from '../../src/api/contract/response.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { API_KEY } from './server.ts'
import type { TestFolder } from './project.ts'

export type ReadArticle = z.output<typeof readArticleResponse>['data']

/** Sends a GET and returns the parsed answer. */
export type Get = (path: string) => Promise<unknown>

export function getFrom(url: string, apiKey: string): Get {
  return async (path) => (await fetch(`${url}${path}`, { headers: jsonHeaders(apiKey) })).json()
}

/** All articles that have a review date (which kb-sync always sends), by slug. */
export async function readArticles(get: Get): Promise<Map<string, ReadArticle>> {
  const { data } = (await get('/api/v2/tools/review_dates')) as { readonly data: { readonly id: string }[] }
  const articles = await Promise.all(data.map(({ id }) => readArticle(get, id)))
  return new Map(articles.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map((each) => [each.slug, each]))
}

/** Opens the project's built-in database while no `kb` runs on it. */
export async function withBuiltin<T>(project: TestFolder, use: (get: Get) => Promise<T>): Promise<T> {
  const knowledgeBase = await openKnowledgeBase({ db: project.path('.kb/kb.db'), apiKey: API_KEY })
  try {
    return await use(async (path) =>
      (await knowledgeBase.app.request(path, { headers: jsonHeaders(API_KEY) })).json(),
    )
  } finally {
    await knowledgeBase.close()
  }
}

/** The built-in database's articles by slug. */
export async function builtinArticles(project: TestFolder): Promise<Map<string, ReadArticle>> {
  return withBuiltin(project, readArticles)
}

/** Ids by slug. */
export function idsOf(articles: ReadonlyMap<string, ReadArticle>): Record<string, string> {
  return Object.fromEntries([...articles].map(([slug, { id }]) => [slug, id]))
}

async function readArticle(get: Get, id: string): Promise<ReadArticle> {
  const { data } = (await get(`/api/v2/articles/${id}`)) as { readonly data: ReadArticle }
  return data
}

function jsonHeaders(apiKey: string): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
}
