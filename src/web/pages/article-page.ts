import { html, raw } from 'hono/html'
import type { CleanPage } from './article-html/create-cleaner.ts'
import type { PageHeading } from './article-html/finish-tree.ts'
import { breadcrumbs, trailOf } from './breadcrumbs.ts'
import type { LivePages } from './live-pages.ts'
import type { Html } from '../html.ts'
import { encodePath } from '../../core/encode-path.ts'
import type { Messages } from '../../core/page-messages.ts'
import type { PageBody } from './page-body.ts'
import type { ArticlePage, ListedPage } from './page-source.ts'
import { problemsView } from './problems-view.ts'
import { inMessageLanguage } from './in-message-language.ts'
import { dateInWords, textDirection } from './text-direction.ts'
import type { Visit } from './visit.ts'

/** Minimum number of headings for a table of contents. */
const LISTED_HEADINGS = 3

/** Number of articles in the category that navigation shows on each side of the current one. */
const SIBLING_LIMIT = 50

/** Renders an article for its readers. @param visit in the article's language */
export async function articlePage(
  visit: Visit,
  article: ArticlePage,
  { clean, live }: { readonly clean: CleanPage; readonly live: LivePages | undefined },
): Promise<PageBody> {
  const { urls, words } = visit
  const { title, excerpt, language, isDraft, writing, image, editedDate } = article
  const path = article.categoryPaths[0] ?? []
  const category = path.at(-1)?.slug
  const content = await clean(article, words)
  const headings = content?.headings ?? []
  const siblings = await listSiblings(visit, article, category)
  return {
    title,
    language,
    description: excerpt,
    url: urls.article(article),
    trail: trailOf(visit, path, { name: title, url: urls.article(article) }),
    article: { image, editedDate },
    version: article.version,
    isUnlisted: isDraft || article.isHidden,
    place: { category, article: article.slug, siblings },
    languages: articleLanguages(visit, article),
    main: html`${breadcrumbs(visit, path)}
      ${writing !== undefined && live !== undefined ? problemsView(writing, live) : ''}
      <div class="kb-columns">
        <article class="kb-article">
          <header>
            ${isDraft ? html`<p class="kb-draft">${inMessageLanguage(visit, html`<strong class="kb-badge">${words.draft}</strong> ${words.draftNote}`)}</p>` : ''}
            <h1>${title}</h1>
          </header>
          ${headings.length < LISTED_HEADINGS ? '' : headingList(visit, headings)}
          <div class="kb-content" data-kb-close="${words.close}">
            ${content === undefined ? html`<p class="kb-empty">${inMessageLanguage(visit, words.unreadable)}</p>` : raw(content.html)}
          </div>
          ${articleFooter(visit, article, await findEditUrl(visit, article))}
        </article>
        ${neighbours(visit, article, siblings)}
      </div>`,
  }
}

function articleLanguages({ urls }: Visit, { slug, language, translations }: ArticlePage) {
  const others = translations.filter((each) => each.language !== language)
  return [{ slug, language }, ...others].map((each) => ({ language: each.language, url: urls.article(each) }))
}

function headingList(visit: Visit, headings: readonly PageHeading[]): Html {
  const entries = headings.map(
    ({ id, text, depth }) =>
      html`<li class="kb-depth-${depth}">
        <a href="#${encodeURIComponent(id.toWellFormed())}">${text}</a>
      </li>`,
  )
  const { words } = visit
  return html`<nav class="kb-toc" aria-label="${words.onThisPage}" data-kb-title="${words.onThisPage}">
    <details class="kb-fold">
      <summary>${inMessageLanguage(visit, words.onThisPage)}</summary>
      <ol>
        ${entries}
      </ol>
    </details>
  </nav>`
}

/** Returns the URL for editing a published article, if configured. */
async function findEditUrl({ source, brand }: Visit, { id, isDraft }: ArticlePage) {
  if (brand.editUrl === undefined || isDraft) return undefined
  const path = await source.findSource(id)
  return path && brand.editUrl.replaceAll('{path}', () => encodePath(path))
}

function articleFooter(visit: Visit, page: ArticlePage, editUrl: string | undefined): Html | '' {
  const { tags, editedDate, language } = page
  const { urls, words } = visit
  const date = editedDate === undefined ? '' : dateInWords(editedDate, words.language)
  if (tags.length === 0 && date === '' && editUrl === undefined) return ''
  const links = tags.map(
    ({ name, slug }) => html`<li><a href="${urls.tag({ slug, language })}">${name}</a></li>`,
  )
  return html`<footer class="kb-about">
    ${
      tags.length === 0
        ? ''
        : html`<ul class="kb-tags" aria-label="${words.taggedWith}">
            ${links}
          </ul>`
    }
    ${date === '' ? '' : html`<p>${inMessageLanguage(visit, lastChanged(words, editedDate, date))}</p>`}
    ${editUrl === undefined ? '' : html`<p class="kb-edit"><a href="${editUrl}" rel="nofollow">${inMessageLanguage(visit, words.edit)}</a></p>`}
  </footer>`
}

/** Renders the message with its date as an element. */
function lastChanged({ lastChanged: message }: Messages, editedDate: string | undefined, date: string): Html {
  const [before = '', after = ''] = message(MARK).split(MARK)
  return html`${before}<time datetime="${editedDate}">${date}</time>${after}`
}

/** A character that no message contains. */
const MARK = '\u{f8ff}'

async function listSiblings(
  { source, viewer, language, tree }: Visit,
  { id }: ArticlePage,
  category: string | undefined,
): Promise<readonly ListedPage[]> {
  const node = (await tree()).bySlug.get(category ?? '')
  if (node === undefined) return []
  return source.listAround({ viewer, language, categoryId: node.category.id, id, limit: SIBLING_LIMIT })
}

function neighbours(visit: Visit, article: ArticlePage, siblings: readonly ListedPage[]): Html | '' {
  const { words } = visit
  const index = siblings.findIndex(({ id }) => id === article.id)
  if (index === -1) return ''
  const [before, after] = [siblings[index - 1], siblings[index + 1]]
  if (before === undefined && after === undefined) return ''
  return html`<nav class="kb-neighbours" aria-label="${words.neighbours}">
    ${before === undefined ? '' : neighbour(visit, before, 'prev', words.previous)}
    ${after === undefined ? '' : neighbour(visit, after, 'next', words.next)}
  </nav>`
}

function neighbour(visit: Visit, page: ListedPage, rel: 'prev' | 'next', word: string): Html {
  const { title, language } = page
  return html`<a class="kb-${rel}" rel="${rel}" href="${visit.urls.article(page)}"
    ><span>${inMessageLanguage(visit, word)}</span>
    <bdi lang="${language}" dir="${textDirection(language)}">${title}</bdi></a
  >`
}
