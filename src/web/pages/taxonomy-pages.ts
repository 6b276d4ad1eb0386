import { html, raw } from 'hono/html'
import { digest } from '../../core/digest.ts'
import type { CleanPage } from './article-html/create-cleaner.ts'
import { AFTER_PARAMETER, articleList, describeByNames, LIST_LIMIT } from './article-list.ts'
import { breadcrumbs, trailOf } from './breadcrumbs.ts'
import { type CategoryNode, pathTo } from './category-tree.ts'
import { iconsOf } from './home-page.ts'
import { breakable, type Html } from '../html.ts'
import type { PageBody, PageInLanguage } from './page-body.ts'
import type { PageTag } from './page-source.ts'
import { withQuery } from './page-urls.ts'
import { inMessageLanguage } from './in-message-language.ts'
import type { Visit } from './visit.ts'

/** Renders a category with its subcategories and articles; undefined if there is none with this slug. */
export async function categoryPage(
  visit: Visit,
  slug: string,
  after: string | undefined,
  clean: CleanPage,
): Promise<PageBody | undefined> {
  const { source, viewer, language, urls } = visit
  const node = (await visit.tree()).bySlug.get(slug)
  if (node === undefined) return undefined
  const { category, children } = node
  const list = await source.listArticles({
    viewer,
    language,
    categoryId: category.id,
    after,
    limit: LIST_LIMIT,
  })
  const url = urls.category({ slug, language })
  const path = pathTo(node)
    .slice(0, -1)
    .map((each) => each.category)
  const listed = [...children.map((each) => each.category.name), ...list.articles.map(({ title }) => title)]
  const isEmpty = list.articles.length === 0 && children.length > 0
  return {
    title: category.name,
    description: category.description || describeByNames(listed),
    place: { category: slug },
    isUnlisted: after !== undefined,
    languages: await otherLanguages(visit, node),
    url: withQuery(url, { [AFTER_PARAMETER]: after }),
    trail: trailOf(visit, path, { name: category.name, url }),
    main: html`${breadcrumbs(visit, path)} ${iconsOf(visit, [node])(category)}
      <h1>${category.name}</h1>
      ${category.description === '' ? '' : html`<p class="kb-lead">${category.description}</p>`}
      ${after === undefined ? await longDescription(visit, node, clean) : ''}
      ${children.length === 0 ? '' : subcategories(visit, children)}
      ${isEmpty ? '' : articleList(visit, list, url)}`,
  }
}

async function longDescription(
  { source, language, words }: Visit,
  { category: { id } }: CategoryNode,
  clean: CleanPage,
): Promise<Html | ''> {
  const text = await source.readLongDescription(id, language)
  if (text === '') return ''
  const readHtml = (limit: number) => Promise.resolve(text.length > limit ? undefined : text)
  const content = await clean({ id, language, version: digest(text), isDraft: false, readHtml }, words)
  return content === undefined
    ? ''
    : html`<div class="kb-content" data-kb-close="${words.close}">${raw(content.html)}</div>`
}

function subcategories(visit: Visit, children: readonly CategoryNode[]): Html {
  const { urls, words, language } = visit
  const icon = iconsOf(visit, children)
  const entries = children.map(
    ({ category, category: { name, slug, description }, total }) =>
      html`<li class="kb-card">
        ${icon(category)}
        <h2><a href="${urls.category({ slug, language })}">${breakable(name)}</a></h2>
        ${description === '' ? '' : html`<p>${description}</p>`}
        <p class="kb-note">${inMessageLanguage(visit, words.articles(total))}</p>
      </li>`,
  )
  return html`<ul class="kb-cards">
    ${entries}
  </ul>`
}

/** Lists the page in other languages. A category may have a different slug in each language, and none in some. */
async function otherLanguages(visit: Visit, { category }: CategoryNode): Promise<PageInLanguage[]> {
  const { site, urls } = visit
  if (site.languages.length < 2) return []
  const places = await Promise.all(
    site.languages.map(async (language) => {
      const tree = language === visit.language ? visit.tree() : visit.in(language).tree()
      return { language, slug: (await tree).byId.get(category.id)?.category.slug }
    }),
  )
  return places.flatMap(({ language, slug }) =>
    slug === undefined ? [] : [{ language, url: urls.category({ slug, language }) }],
  )
}

/** Renders the articles with a tag; undefined if there is none with this slug, or none that a reader could see. */
export async function tagPage(
  visit: Visit,
  slug: string,
  after: string | undefined,
): Promise<PageBody | undefined> {
  const { source, viewer, language, urls, words } = visit
  const tag = await source.findTag(slug, language)
  if (tag?.slug !== slug) return undefined
  const list = await source.listArticles({ viewer, language, tag: slug, after, limit: LIST_LIMIT })
  if (list.articles.length === 0 && after === undefined && viewer !== 'author') return undefined
  const title = words.tag(tag.name)
  const url = urls.tag({ slug, language })
  return {
    title,
    description: describeByNames(list.articles.map((each) => each.title)),
    url: withQuery(url, { [AFTER_PARAMETER]: after }),
    trail: [{ name: title, url }],
    languages: await taggedIn(visit, tag),
    // Its articles are in categories, which search engines index.
    isUnlisted: true,
    main: html`${breadcrumbs(visit, [])}
      <h1>${inMessageLanguage(visit, title)}</h1>
      ${articleList(visit, list, url)}`,
  }
}

/** Lists the page of a tag in all languages in which it has articles. */
async function taggedIn({ source, viewer, site, urls }: Visit, tag: PageTag): Promise<PageInLanguage[]> {
  const pages = site.languages.map(async (language) => {
    const slug = tag.slugs.get(language) ?? tag.slug
    const list = await source.listArticles({ viewer, language, tag: slug, limit: 1 })
    return list.articles.length > 0 || viewer === 'author'
      ? [{ language, url: urls.tag({ slug, language }) }]
      : []
  })
  return (await Promise.all(pages)).flat()
}
