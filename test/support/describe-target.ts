// All that readers and authors see of a built-in database, ids and times aside.
import { removeMarkers } from '../../src/core/model/marker.ts'
import type { readArticleResponse } from '../../src/api/contract/response.ts'
import type { z } from 'zod'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { API_KEY } from './server.ts'

type Answer = z.output<typeof readArticleResponse>

/** Articles by language, slug and status; the marker in them may tell of another file. */
export async function describeTarget(db: string): Promise<Record<string, unknown>> {
  const knowledgeBase = await openKnowledgeBase({ db, apiKey: API_KEY })
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const get = async (path: string): Promise<unknown> =>
    (await knowledgeBase.app.request(`/api/v2/${path}`, { headers })).json()
  try {
    const { data } = (await get('tools/review_dates')) as {
      readonly data: readonly { readonly id: string }[]
    }
    const answers = await Promise.all(data.map(({ id }) => get(`articles/${id}`) as Promise<Answer>))
    const slugs = new Map(answers.map(({ data: { id, slug } }) => [id, slug]))
    const slugOf = (id: string | null) => (id === null ? null : (slugs.get(id) ?? id))
    const described = answers.map((answer) => [keyOf(answer), describeArticle(answer, slugOf)] as const)
    return Object.fromEntries(described.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  } finally {
    await knowledgeBase.close()
  }
}

function keyOf({ data: { slug, status, language } }: Answer): string {
  return `${language} ${slug} ${status}`
}

function describeArticle(
  { data, categories, tags, isDraft }: Answer,
  slugOf: (id: string | null) => string | null,
): unknown {
  const { id: _id, tags_relationship: _tags, article_relationships: _categories, ...rest } = data
  const { created_date: _created, last_edited_Date: _edited, ...kept } = rest
  return {
    ...kept,
    content: removeMarkers(data.content),
    article_parent: slugOf(data.article_parent),
    language_parent: slugOf(data.language_parent),
    draft: slugOf(isDraft.id),
    categories: categories.map(({ label }) => label),
    tags: tags.map(({ label }) => label),
  }
}
