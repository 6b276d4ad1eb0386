import { toHtml } from 'hast-util-to-html'
import type { SiteArticle, SiteBody, SiteView } from '../../index.ts'
import { growTree, type LocaleTree } from './locale-tree.ts'
import type { ArticlePage, ListPage, PageLink, SidebarItem } from './page-shapes.ts'
import { type Placed, type PlacedArticle, type PlacedTerm, placeArticles } from './place-articles.ts'
import { type PlacedLink, toReactTree } from './react-tree.ts'
import type { SiteAddresses } from './site-addresses.ts'

/** The pages of one locale. */
export interface LocalePages {
  readonly sidebar: readonly SidebarItem[]
  readonly lists: readonly { readonly path: string; readonly page: ListPage }[]
  readonly articles: readonly PlacedArticle[]
  /** Those that have a page. */
  readonly categories: readonly PlacedTerm[]
  /** Made when it is written: the texts of all articles together may be much. */
  readonly makePage: (placed: PlacedArticle, body: SiteBody) => ArticlePage
}

/** Pure. */
export function makePages(view: SiteView, locale: string, addresses: SiteAddresses): LocalePages {
  const placed = placeArticles(view, locale, addresses)
  const tree = growTree(placed)
  const usedTags = placed.tags.filter(({ id }) => tree.inTag(id).length > 0)
  return {
    sidebar: tree.sidebar,
    lists: [
      { path: addresses.index, page: listPage({ categories: tree.below(undefined) }) },
      ...tree.categories.map((category) => ({ path: category.path, page: categoryPage(category, tree) })),
      ...usedTags.map((tag) => ({
        path: tag.path,
        page: listPage({ term: tag, articles: tree.inTag(tag.id) }),
      })),
    ],
    articles: placed.articles,
    categories: tree.categories,
    makePage: ({ article }, { html, headings }) => ({
      ...describe(article, placed),
      ...surroundings(article, tree),
      toc: headings
        .filter(({ level }) => level > 1)
        .map(({ id, level, text }) => ({ id, level, value: toHtml({ type: 'text', value: text }) })),
      body: toReactTree(html, (href) => placeLink(href, placed)),
    }),
  }
}

function describe(article: SiteArticle, { language, tags }: Placed) {
  return {
    title: article.title,
    description: article.excerpt,
    lang: article.language === language ? null : article.language,
    image: article.seoBannerUrl,
    isDraft: article.status === 'draft',
    isHidden: article.hideFromSearch,
    tags: tags
      .filter(({ id }) => article.tags.includes(id))
      .map(({ name, path }) => ({ label: name, permalink: path })),
  }
}

/** The first of its categories says where an article stands. */
function surroundings(article: SiteArticle, tree: LocaleTree) {
  const category = tree.find(article.categories[0] ?? '')
  if (category === undefined) return { breadcrumbs: [], previous: null, next: null }
  const neighbours = tree.inCategory(category.id)
  const index = neighbours.findIndex((each) => each.article === article)
  return {
    breadcrumbs: tree.wayTo(category).map(linkToTerm),
    previous: linkToArticle(neighbours[index - 1]),
    next: linkToArticle(neighbours[index + 1]),
  }
}

function categoryPage(category: PlacedTerm, tree: LocaleTree): ListPage {
  return listPage({
    term: category,
    above: tree.wayTo(category).slice(0, -1),
    categories: tree.below(category),
    articles: tree.inCategory(category.id),
  })
}

interface ListMakings {
  readonly term?: PlacedTerm
  readonly above?: readonly PlacedTerm[]
  readonly categories?: readonly PlacedTerm[]
  readonly articles?: readonly PlacedArticle[]
}

function listPage({ term, above = [], categories = [], articles = [] }: ListMakings): ListPage {
  return {
    title: term?.name ?? null,
    description: term?.description ?? '',
    breadcrumbs: above.map(linkToTerm),
    categories: categories.map((each) => ({ ...linkToTerm(each), description: each.description })),
    articles: articles.map(({ article, path }) => ({
      title: article.title,
      permalink: path,
      description: article.excerpt,
      isDraft: article.status === 'draft',
    })),
  }
}

function linkToTerm({ name, path }: PlacedTerm): PageLink {
  return { title: name, permalink: path }
}

function linkToArticle(placed: PlacedArticle | undefined): PageLink | null {
  return placed === undefined ? null : { title: placed.article.title, permalink: placed.path }
}

/** Links of the content lead to the locale of the language that they are written for; here they may stay in this one. */
function placeLink(href: string, { localPath, isOurs }: Placed): PlacedLink {
  const end = href.search(/[?#]/)
  const url = end === -1 ? href : href.slice(0, end)
  const path = localPath(url)
  if (path !== undefined) return { kind: 'page', href: `${path}${href.slice(url.length)}` }
  return { kind: isOurs(url) ? 'away' : 'page', href }
}
