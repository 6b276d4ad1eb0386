import { toHtml } from 'hast-util-to-html'
import { groupBy, groupByEach } from '../../core/group-by.ts'
import type { SiteArticle, SiteBody, SiteView, SiteCategory, SiteTag } from '../../index.ts'
import { type RouteLink, toReactTree, type ReactTree } from './react-tree.ts'
import { type DocusaurusAddresses, localeOf } from './site-addresses.ts'
import { compareTexts } from '../../core/compare-texts.ts'

export type LocalePages = ReturnType<typeof makePages>

export function makePages(view: SiteView, locale: string, addresses: DocusaurusAddresses) {
  const placed = assignRoutes(view, locale, addresses)
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
    /** Categories that have a page. */
    categories: tree.categories,
    /** Creates a page when it is written, because the bodies of all articles together may be large. */
    makePage: ({ article }: PlacedArticle, { html, headings }: SiteBody): ArticlePage => ({
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

/** Returns the path and the neighbours of an article in its first category. */
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

/** Places a link. Links in the content lead to the locale of their language; here they may stay in the current one. */
function placeLink(href: string, { localPath, isOurs }: Placed): RouteLink {
  const end = href.search(/[?#]/)
  const url = end === -1 ? href : href.slice(0, end)
  const path = localPath(url)
  if (path !== undefined) return { kind: 'page', href: `${path}${href.slice(url.length)}` }
  return { kind: isOurs(url) ? 'away' : 'page', href }
}

type LocaleTree = ReturnType<typeof growTree>

/** Stands for the top level. No category has an empty id. */
const TOP = ''

/** Builds the tree of a locale. Pure. */
function growTree({ articles, categories }: Placed) {
  const byCategory = groupByEach(articles, ({ article }) => article.categories)
  const byTag = groupByEach(articles, ({ article }) => article.tags)
  const shown = withArticles(categories, byCategory)
  const byId = new Map(shown.map((category) => [category.id, category]))
  const children = groupBy(shown, ({ parent }) => parent ?? TOP)
  const below = (category: PlacedTerm | undefined) => children.get(category?.id ?? TOP) ?? []
  const inCategory = (id: string) => byCategory.get(id) ?? []
  const wayTo = (category: PlacedTerm): PlacedTerm[] => {
    const above = byId.get(category.parent ?? TOP)
    return [...(above === undefined ? [] : wayTo(above)), category]
  }
  const draw = (category: PlacedTerm): SidebarItem => ({
    type: 'category',
    label: category.name,
    href: category.path,
    collapsible: true,
    collapsed: true,
    items: [
      ...below(category).map(draw),
      ...inCategory(category.id).map(
        ({ article, path }) => ({ type: 'link', label: article.title, href: path }) as const,
      ),
    ],
  })
  return {
    categories: shown,
    find: (id: string) => byId.get(id),
    /** Returns a category with its ancestors, from the root down. */
    wayTo,
    /** @param category undefined: top-level categories */
    below,
    inCategory,
    inTag: (id: string) => byTag.get(id) ?? [],
    sidebar: below(undefined).map(draw),
  }
}

function withArticles(categories: readonly PlacedTerm[], inCategory: ReadonlyMap<string, unknown>) {
  const kept = new Set<string>()
  // Parents come before their children.
  for (const { id, parent } of categories.toReversed()) {
    if (!inCategory.has(id) && !kept.has(id)) continue
    kept.add(id)
    if (parent !== null) kept.add(parent)
  }
  return categories.filter(({ id }) => kept.has(id))
}

// The data of the pages. The components in theme/, or the site's replacements, render it.
interface PageLink {
  readonly title: string
  readonly permalink: string
}

/** An entry of the sidebar, as Docusaurus draws those of its docs: an article, or a category with its articles. */
interface SidebarItem {
  readonly type: 'link' | 'category'
  readonly label: string
  readonly href: string
  /** An open category is one of the page's ancestors, or was opened by the reader. */
  readonly collapsible?: true
  readonly collapsed?: true
  readonly items?: readonly SidebarItem[]
}

interface ArticlePage {
  readonly title: string
  readonly description: string
  /** Language of the body, if it differs from the page's. */
  readonly lang: string | null
  readonly image: string | null
  readonly isDraft: boolean
  /** True if search engines should not index it. */
  readonly isHidden: boolean
  /** The categories above it, from the root down. */
  readonly breadcrumbs: readonly PageLink[]
  readonly tags: readonly { readonly label: string; readonly permalink: string }[]
  /** `value` is HTML. */
  readonly toc: readonly { readonly id: string; readonly level: number; readonly value: string }[]
  readonly body: readonly ReactTree[]
  /** Previous and next article in its category. */
  readonly previous: PageLink | null
  readonly next: PageLink | null
}

/** A page that lists articles of a category or tag, or the top-level categories. */
interface ListPage {
  /** Null on the page of all categories, whose title is in the theme. */
  readonly title: string | null
  readonly description: string
  readonly breadcrumbs: readonly PageLink[]
  readonly categories: readonly (PageLink & { readonly description: string })[]
  readonly articles: readonly (PageLink & { readonly description: string; readonly isDraft: boolean })[]
}

// Assigns articles to a locale of the site. As in Docusaurus' docs, untranslated articles are shown in the default
// language.

interface PlacedArticle {
  readonly article: SiteArticle
  readonly path: string
}

/** A category or tag with its texts in the locale's language, if translated. */
interface PlacedTerm extends Pick<SiteTag, 'id' | 'name' | 'description'> {
  readonly path: string
  /** Id of the parent category; null for tags. */
  readonly parent: string | null
}

type Placed = ReturnType<typeof assignRoutes>

/** Assigns routes to the articles, categories and tags of a locale. Pure. */
function assignRoutes(view: SiteView, locale: string, addresses: DocusaurusAddresses) {
  const language = localeOf(locale, view.languages) ?? view.defaultLanguage
  const articles = shownIn(language, view).map((article) => ({
    article,
    path: addresses.article(article.slug),
  }))
  const categories = view.categories.map((each) => placeTerm(each, language, each.parent, addresses.category))
  const tags = view.tags.map((each) => placeTerm(each, language, null, addresses.tag))
  const paths = new Map(articles.map(({ article, path }) => [article.url, path]))
  for (const [index, term] of view.categories.entries()) addUrls(paths, term, categories[index]?.path)
  for (const [index, term] of view.tags.entries()) addUrls(paths, term, tags[index]?.path)
  const elsewhere = new Set(view.articles.map(({ url }) => url))
  return {
    language,
    articles,
    categories,
    tags,
    /** Returns the path in this locale for a URL of the content; undefined for other URLs. */
    localPath: (url: string) => paths.get(url),
    /** True for the URL of an article, category or tag, in any locale. */
    isOurs: (url: string) => paths.has(url) || elsewhere.has(url),
  }
}

function shownIn(language: string, { articles, defaultLanguage }: SiteView): SiteArticle[] {
  const own = articles.filter((article) => article.language === language)
  if (language === defaultLanguage) return own
  const taken = new Set(own.map(({ slug }) => slug))
  const untranslated = articles.filter(
    (article) =>
      article.language === defaultLanguage &&
      article.translations[language] === undefined &&
      !taken.has(article.slug),
  )
  return [...own, ...untranslated].toSorted((a, b) => a.order - b.order || compareTexts(a.title, b.title))
}

function placeTerm(
  term: SiteCategory | SiteTag,
  language: string,
  parent: string | null,
  pathOf: (slug: string) => string,
): PlacedTerm {
  const { name, slug, description } = term.translations[language] ?? term
  return { id: term.id, name, description, path: pathOf(slug), parent }
}

function addUrls(paths: Map<string, string>, term: SiteCategory | SiteTag, path: string | undefined): void {
  if (path === undefined) return
  for (const { url } of [term, ...Object.values(term.translations)]) paths.set(url, path)
}
