import { html } from 'hono/html'
import { articleList, LIST_LIMIT } from './article-list.ts'
import type { CategoryNode } from './category-tree.ts'
import type { Html, PageBody } from './page-body.ts'
import { say } from './say.ts'
import type { Visit } from './visit.ts'

/** So many categories of the second level are named on a card. */
const NAMED_CHILDREN = 6

/** The categories at the top with what they hold; the articles themselves where there are no categories. */
export async function homePage(visit: Visit): Promise<PageBody> {
  const { site, urls, words } = visit
  const { roots } = await visit.tree()
  const content =
    roots.length === 0
      ? await allArticles(visit)
      : html`<h2 class="kb-hidden">${say(visit, words.topics)}</h2>
          <ul class="kb-cards">
            ${roots.map((node) => card(visit, node))}
          </ul>
          <p class="kb-more">
            <a class="kb-button" href="${urls.search(visit.language)}">${say(visit, words.allArticles)}</a>
          </p>`
  return {
    title: '',
    isWide: true,
    main: html`<div class="kb-hero"><h1>${site.name}</h1></div>
      ${content}`,
    languages: site.languages.map((language) => ({ language, url: urls.home(language) })),
  }
}

async function allArticles(visit: Visit): Promise<Html> {
  const { source, viewer, language, urls } = visit
  const list = await source.listArticles({ viewer, language, limit: LIST_LIMIT })
  return articleList(visit, list, urls.search(language))
}

function card(visit: Visit, { category, children, total }: CategoryNode): Html {
  const { urls, words, language } = visit
  const { name, slug, description } = category
  const link = (node: CategoryNode) =>
    html`<li>
      <a href="${urls.category({ slug: node.category.slug, language })}">${node.category.name}</a>
      <span class="kb-number">${node.total}</span>
    </li>`
  const rest =
    children.length > NAMED_CHILDREN
      ? html`<li><a href="${urls.category({ slug, language })}">…</a></li>`
      : ''
  return html`<li class="kb-card">
    <h3><a href="${urls.category({ slug, language })}">${name}</a></h3>
    ${description === '' ? '' : html`<p>${description}</p>`}
    ${
      children.length === 0
        ? ''
        : html`<ul>
            ${children.slice(0, NAMED_CHILDREN).map(link)}${rest}
          </ul>`
    }
    <p class="kb-note">${say(visit, words.articles(total))}</p>
  </li>`
}
