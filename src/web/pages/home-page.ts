import type { Context } from 'hono'
import { html } from 'hono/html'
import { parseAccept } from 'hono/utils/accept'
import { primaryLanguage } from '../../core/page-messages.ts'
import { storedFileNameOf } from '../../core/stored-file-names.ts'
import { IMAGE_DATA_URL, parseUrl } from '../../core/parse-url.ts'
import { breakable, type Html } from '../html.ts'
import { allArticles, describeByNames, linkToAllArticles, listedArticle, listHomes } from './article-list.ts'
import { wordingIn } from './brand/brand-parts.ts'
import type { CategoryNode } from './category-tree.ts'
import { inMessageLanguage } from './in-message-language.ts'
import { byLanguage } from './page-headers.ts'
import type { PageBody, PageInLanguage } from './page-body.ts'
import type { ListedPage } from './page-source.ts'
import { LANGUAGE_PARAMETER } from './page-urls.ts'
import { searchForm } from './search-form.ts'
import type { Visit } from './visit.ts'

/** Maximum number of subcategories on a card. */
const NAMED_CHILDREN = 6

/** Renders search box, featured articles, and top-level categories; all articles if there are no categories. */
export async function homePage(visit: Visit): Promise<PageBody> {
  const { site, brand, urls, words, language } = visit
  const [defaultLanguage = language] = site.languages
  const { roots } = await visit.tree()
  const languages = await listHomes(visit)
  const { title, text: texts } = brand.home ?? {}
  const text = texts === undefined ? undefined : wordingIn(texts, language, defaultLanguage)
  const featured = await findFeatured(visit, defaultLanguage)
  const content =
    roots.length === 0
      ? await allArticles(visit)
      : html`<h2 class="${featured.length === 0 ? 'kb-hidden' : 'kb-heading'}">
            ${inMessageLanguage(visit, words.topics)}
          </h2>
          ${categoryCards(visit, roots)} ${linkToAllArticles(visit)}`
  return {
    title: '',
    url: urls.home(language),
    description: text ?? describeByNames(roots.map(({ category }) => category.name)),
    isWide: true,
    hasSearch: true,
    headers: byLanguage(visit.site),
    main: html`<div class="kb-hero">
        ${title === undefined ? html`<h1>${site.name}</h1>` : html`<h1 dir="auto">${wordingIn(title, language, defaultLanguage)}</h1>`}
        ${text === undefined ? '' : html`<p dir="auto">${text}</p>`}
        ${searchForm({ urls, words, language, defaultLanguage }, '')}
      </div>
      ${featured.length === 0 ? '' : featuredList(visit, featured)} ${content}`,
    languages,
    // Without articles in the language, the page is empty.
    isUnlisted: languages.every((each) => each.language !== language),
  }
}

/** Returns the featured articles of the configuration that the viewer may see in the language. */
async function findFeatured(visit: Visit, defaultLanguage: string): Promise<readonly ListedPage[]> {
  const { brand, source, viewer, language } = visit
  const found: ListedPage[] = []
  for (const slug of brand.home?.featured ?? []) {
    const original = await source.findArticle({ slug, language: defaultLanguage }, viewer)
    const translation = original?.translations.find((each) => each.language === language)
    const article =
      language === defaultLanguage || translation === undefined
        ? original
        : await source.findArticle(translation, viewer)
    if (article?.language === language) found.push(article)
  }
  return found
}

function featuredList(visit: Visit, articles: readonly ListedPage[]): Html {
  return html`<h2 class="kb-heading">${inMessageLanguage(visit, visit.words.featured)}</h2>
    <ul class="kb-list kb-featured">
      ${articles.map((article) => listedArticle(visit, article, article.excerpt))}
    </ul>`
}

function categoryCards(visit: Visit, nodes: readonly CategoryNode[]): Html {
  const icon = iconsOf(visit, nodes)
  return html`<ul class="kb-cards">
    ${nodes.map((node) => card(visit, node, icon))}
  </ul>`
}

function card(visit: Visit, { category, children, total }: CategoryNode, icon: ShowIcon): Html {
  const { urls, words, language } = visit
  const { name, slug, description } = category
  const link = (node: CategoryNode) =>
    html`<li>
      <a href="${urls.category({ slug: node.category.slug, language })}">${breakable(node.category.name)}</a>
      <span class="kb-number">${visit.numbers.format(node.total)}</span>
    </li>`
  const rest =
    children.length > NAMED_CHILDREN
      ? html`<li><a href="${urls.category({ slug, language })}">…</a></li>`
      : ''
  const thumbnail = imageUrl(visit, category.thumbnail)
  return html`<li class="kb-card">
    ${thumbnail === '' ? '' : html`<img class="kb-thumbnail" src="${thumbnail}" alt="" loading="lazy" />`}
    ${icon(category)}
    <h3><a href="${urls.category({ slug, language })}">${breakable(name)}</a></h3>
    ${description === '' ? '' : html`<p dir="auto">${description}</p>`}
    ${
      children.length === 0
        ? ''
        : html`<ul>
            ${children.slice(0, NAMED_CHILDREN).map(link)}${rest}
          </ul>`
    }
    <p class="kb-note">${inMessageLanguage(visit, words.articles(total))}</p>
  </li>`
}

type ShowIcon = (category: CategoryNode['category']) => Html | ''

/** Shows no icons if no category has one. Beside cards with an icon, one without would look broken. */
export function iconsOf(visit: Pick<Visit, 'urls'>, nodes: readonly CategoryNode[]): ShowIcon {
  const hasIcons = nodes.some(({ category }) => imageUrl(visit, category.icon) !== '')
  return ({ name, icon }) => (hasIcons ? iconOf(name, imageUrl(visit, icon)) : '')
}

/** Renders the icon of a category, or the first letter of its name. */
function iconOf(name: string, image: string): Html {
  if (image !== '') return html`<img class="kb-icon" src="${image}" alt="" width="40" height="40" />`
  const [{ segment: letter = '' } = {}] = new Intl.Segmenter().segment(name.trim())
  return html`<span class="kb-icon" aria-hidden="true">${letter.toLocaleUpperCase()}</span>`
}

/** Returns '' for a URL that a browser would not show. */
export function imageUrl({ urls }: Pick<Visit, 'urls'>, url: string): string {
  if (storedFileNameOf(url) !== undefined) return urls.path(url)
  const protocol = url === '' ? undefined : parseUrl(url, 'https://here.invalid')?.protocol
  return protocol === 'https:' || protocol === 'http:' || IMAGE_DATA_URL.test(url) ? url : ''
}

/** Returns the home page in the language of the browser, if that differs and has articles. */
export async function homeForReader(visit: Visit, c: Context) {
  const own = await inReaderLanguage(visit, c, () => listHomes(visit))
  return own === visit ? undefined : { url: own.urls.home(own.language), status: 302 }
}

/** Returns the visit in the language of the browser, if that is listed, and neither URL nor reader chose another one. */
export async function inReaderLanguage(
  visit: Visit,
  c: Context,
  list: () => Promise<readonly Pick<PageInLanguage, 'language'>[]>,
): Promise<Visit> {
  const { site, viewer, language } = visit
  const isOpen = viewer === 'reader' && comesFromElsewhere(c) && c.req.query(LANGUAGE_PARAMETER) === undefined
  const accepted = acceptedLanguages(c)
  if (!isOpen || site.languages.length < 2 || accepted.length === 0) return visit
  const listed = await list()
  const [best] = accepted.flatMap(
    (wanted) =>
      listed.find(({ language: code }) => code.toLowerCase() === wanted.toLowerCase()) ??
      listed.find(({ language: code }) => primaryLanguage(code) === primaryLanguage(wanted)) ??
      [],
  )
  return best === undefined || best.language === language ? visit : visit.in(best.language)
}

/** The languages that the browser accepts, best first. */
export function acceptedLanguages(c: Context): string[] {
  return parseAccept(c.req.header('Accept-Language') ?? '').flatMap(({ type, q }) => (q === 0 ? [] : [type]))
}

/** True if the visit does not come from a link within the pages, which keeps the language that the reader chose. */
function comesFromElsewhere(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site !== 'same-origin'
  const referrer = c.req.header('Referer')
  return referrer === undefined || parseUrl(referrer)?.host !== c.req.header('Host')
}
