import { relative, sep } from 'node:path'
import pLimit from 'p-limit'
import type { SiteBody } from '../../index.ts'
import { digest } from '../../core/digest.ts'
import type { PluginActions, RouteConfig } from './docusaurus-types.ts'
import type { LocalePages } from './locale-pages.ts'

/** Files that are written at the same time. */
const CONCURRENCY = 16

export interface PageMakings {
  readonly pages: LocalePages
  readonly readBody: (id: string) => SiteBody | undefined
  readonly actions: PluginActions
  /** Address below which all pages lie. */
  readonly index: string
  readonly siteDir: string
  /** Folder of the data of all plugins. */
  readonly generatedFilesDir: string
  readonly contentFolder: string
}

type WriteData = (name: string, data: object) => Promise<string>

/** Gives every page a route, and its data a file of its own, which readers load with that page only. */
export async function registerPages(makings: PageMakings): Promise<void> {
  const { pages, actions, index } = makings
  const limit = pLimit(CONCURRENCY)
  const write: WriteData = async (name, data) => aliasOf(await actions.createData(name, data), makings)
  const sidebar = await write('sidebar.json', { items: pages.sidebar, index })
  const routes = await Promise.all([
    ...pages.lists.map(({ path, page }) =>
      limit(() => register(write, { path, component: '@theme/KbListPage', name: 'list', page })),
    ),
    ...pages.articles.map((placed) => limit(() => registerArticle(makings, placed, write))),
  ])
  actions.addRoute({
    path: index,
    component: '@theme/KbRoot',
    exact: false,
    modules: { sidebar },
    routes: routes.flatMap((route) => route ?? []),
  })
}

async function registerArticle(
  { pages, readBody, siteDir, contentFolder }: PageMakings,
  placed: LocalePages['articles'][number],
  write: WriteData,
): Promise<RouteConfig | undefined> {
  const { article, path } = placed
  const body = readBody(article.id)
  if (body === undefined) return undefined
  const page = pages.makePage(placed, body)
  const route = await register(write, { path, component: '@theme/KbArticlePage', name: 'article', page })
  const file = relative(siteDir, contentFolder).split(sep).concat(article.source)
  return { ...route, metadata: { sourceFilePath: file.join('/') } }
}

interface Page {
  readonly path: string
  readonly component: string
  readonly name: string
  readonly page: object
}

async function register(write: WriteData, { path, component, name, page }: Page): Promise<RouteConfig> {
  const data = await write(`${name}-${digest(path)}.json`, page)
  return { path, component, exact: true, modules: { page: data } }
}

/** The path of a file as pages may name it: they carry it, and an absolute one tells of the machine. */
function aliasOf(path: string, { generatedFilesDir }: PageMakings): string {
  return `@generated/${relative(generatedFilesDir, path).split(sep).join('/')}`
}
