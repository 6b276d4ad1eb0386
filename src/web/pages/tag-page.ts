import { html } from 'hono/html'
import { articleList, LIST_LIMIT } from './article-list.ts'
import { breadcrumbs } from './breadcrumbs.ts'
import type { PageBody } from './page-body.ts'
import type { PageTag } from './page-source.ts'
import { say } from './say.ts'
import type { Visit } from './visit.ts'

/** The articles that carry a tag; undefined where there is none with this slug, or it has nothing for the viewer. */
export async function tagPage(
  visit: Visit,
  slug: string,
  after: string | undefined,
): Promise<PageBody | undefined> {
  const { source, viewer, language, urls, words } = visit
  const tag = await source.findTag(slug, language)
  if (tag === undefined) return undefined
  const list = await source.listArticles({ viewer, language, tag: slug, after, limit: LIST_LIMIT })
  if (list.articles.length === 0 && after === undefined && !(await isUsed(visit, tag))) return undefined
  const title = words.tag(tag.name)
  return {
    title,
    languages: visit.site.languages.map((each) => ({
      language: each,
      url: urls.tag({ slug: tag.slugs.get(each) ?? slug, language: each }),
    })),
    main: html`${breadcrumbs(visit, [])}
      <h1>${say(visit, title)}</h1>
      ${articleList(visit, list, urls.tag({ slug, language }))}`,
  }
}

/** Whether articles in any language carry it, as far as the viewer may see them. */
async function isUsed({ source, viewer }: Visit, { slugs }: PageTag): Promise<boolean> {
  if (viewer === 'author') return true
  for (const [language, tag] of slugs) {
    if ((await source.listArticles({ viewer, language, tag, limit: 1 })).articles.length > 0) return true
  }
  return false
}
