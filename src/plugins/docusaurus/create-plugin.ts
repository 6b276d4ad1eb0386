import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { digest } from '../../core/digest.ts'
import type { SiteBody } from '../../index.ts'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { createAdapter } from '../adapter/create-adapter.ts'
import { createLoader } from './create-loader.ts'
import { type DocusaurusOptions, normaliseOptions } from './docusaurus-options.ts'
import type {
  DocusaurusPlugin,
  LoadContext,
  PluginActions,
  WebpackCompiler,
  RouteConfig,
} from './docusaurus-types.ts'
import { describeContent } from './global-data.ts'
import { makePages, type LocalePages } from './locale-pages.ts'
import type { SharedAdapters } from './shared-adapters.ts'
import { createAddresses, type DocusaurusAddresses } from './site-addresses.ts'
import { withoutStack, type ToolLogger } from './tool-messages.ts'
import { codeFile } from '../../core/package-files.ts'
import { relativePath } from '../../core/paths.ts'

interface PluginMakings {
  readonly adapters: SharedAdapters
  readonly env: Readonly<Record<string, string | undefined>>
  readonly loadLogger: (siteDir: string) => ToolLogger
}

/** Creates the plugin for one locale of a site. Reads no content before Docusaurus asks for it. */
export async function createPlugin(
  context: LoadContext,
  given: unknown,
  makings: PluginMakings,
): Promise<DocusaurusPlugin> {
  const options = normaliseOptions(given)
  const { routeBasePath } = options
  const addresses = routeBasePath === undefined ? undefined : createAddresses(context, routeBasePath)
  const run = await joinRun(context, { ...options, links: addresses?.links ?? options.links }, makings)
  const { mode, adapter } = run
  const loader = createLoader(adapter)
  // After two quick edits, Docusaurus loads twice concurrently; the last content read must be the last one written.
  const inTurn = pLimit(1)
  let reading: ContentReading | undefined
  let problemsFile: string | undefined
  return {
    name: 'kb-sync',
    loadContent: async () => {
      reading = await loader.load()
      const failure = mode === 'build' ? adapter.failureOf(reading) : undefined
      if (failure !== undefined) throw withoutStack(`kb-sync: ${failure.title}\n\n${failure.report}`)
      return reading.view
    },
    contentLoaded: ({ actions }) =>
      inTurn(async () => {
        if (reading === undefined) return
        await handOver({ context, addresses, adapter, reading, actions })
        const report = problemsOf(reading, adapter)?.message ?? ''
        problemsFile = await actions.createData('problems.json', { report })
      }),
    postBuild: () => run.finish(),
    getPathsToWatch: () => {
      const paths = loader.watched()
      // Other commands call this, too, and one of them writes to these paths. They have not loaded the content.
      if (paths.length > 0) run.watch()
      return [...paths]
    },
    getThemePath: () => fileURLToPath(codeFile('plugins/docusaurus/theme')),
    configureWebpack: (_, isServer) => {
      if (mode === 'build' || isServer) return {}
      const problems = () => (reading === undefined ? undefined : problemsOf(reading, adapter))
      return { plugins: [problemReporter(problems, () => problemsFile)] }
    },
  }
}

async function joinRun(
  { siteDir, i18n: { currentLocale } }: LoadContext,
  options: DocusaurusOptions & { readonly id: string },
  { adapters, env, loadLogger }: PluginMakings,
) {
  // Only `start`, and commands that build nothing, have the default environment.
  const mode = env['NODE_ENV'] === 'production' ? 'build' : 'dev'
  const log = loadLogger(siteDir)
  const create = () => createAdapter(options, { cwd: siteDir, mode, env, info: log.info, warn: log.warn })
  const key = JSON.stringify([siteDir, options.id, options.config])
  if (mode === 'build') {
    const { adapter, finish } = adapters.joinBuild(key, currentLocale, create, log)
    return { mode, adapter, finish: () => finish(currentLocale), watch: () => undefined }
  }
  const { adapter, watch } = await adapters.replaceServer(key, create)
  return { mode, adapter, finish: () => undefined, watch }
}

interface Handover {
  readonly context: LoadContext
  readonly addresses: DocusaurusAddresses | undefined
  readonly adapter: Adapter
  readonly reading: ContentReading
  readonly actions: PluginActions
}

async function handOver({ context, addresses, adapter, reading, actions }: Handover): Promise<void> {
  const { siteDir, generatedFilesDir, i18n } = context
  const { view } = reading
  const pages = addresses === undefined ? undefined : makePages(view, i18n.currentLocale, addresses)
  actions.setGlobalData(describeContent(view, pages))
  await actions.createData('articles.json', view.articles)
  if (addresses === undefined || pages === undefined) return
  const { content: contentFolder } = await adapter.watched()
  const { readBody } = adapter
  await registerPages({
    pages,
    readBody,
    actions,
    index: addresses.index,
    siteDir,
    generatedFilesDir,
    contentFolder,
  })
}

function problemsOf(reading: ContentReading, adapter: Adapter): ShownProblems | undefined {
  const { failure } = reading
  if (failure === undefined) return undefined
  const kind = adapter.failureOf(reading) === undefined ? 'warning' : 'error'
  return { kind, message: `kb-sync: ${failure.title}\n\n${failure.report}` }
}

interface ShownProblems {
  readonly kind: 'error' | 'warning'
  readonly message: string
}

/**
 * Adds the problems of the content to those of the bundle, so that the development server prints them, shows them in
 * its overlay, and removes them when they are fixed.
 *
 * @param watchedFile written when the problems change, which triggers the bundler
 */
function problemReporter(
  problems: () => ShownProblems | undefined,
  watchedFile: () => string | undefined,
): { apply(compiler: WebpackCompiler): void } {
  return {
    apply: (compiler) => {
      compiler.hooks.afterCompile.tap('kb-sync', (compilation) => {
        // The HTML of the pages is a child compilation. With errors in it, there would be no page at all.
        if (compilation.compiler !== compiler) return
        const file = watchedFile()
        if (file !== undefined) compilation.fileDependencies.add(file)
        const found = problems()
        if (found === undefined) return
        const list = found.kind === 'error' ? compilation.errors : compilation.warnings
        list.push(withoutStack(found.message))
      })
    },
  }
}

/** Maximum number of files written concurrently. */
const CONCURRENCY = 16

interface PageMakings {
  readonly pages: LocalePages
  readonly readBody: (id: string) => SiteBody | undefined
  readonly actions: PluginActions
  /** Base URL of all pages. */
  readonly index: string
  readonly siteDir: string
  /** Folder of all plugins' data. */
  readonly generatedFilesDir: string
  readonly contentFolder: string
}

type WriteData = (name: string, data: object) => Promise<string>

/** Registers a route for every page, with its data in a separate file that is loaded only with that page. */
async function registerPages(makings: PageMakings): Promise<void> {
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

/** Returns the path of a file for pages. An absolute path would reveal the machine's folders. */
function aliasOf(path: string, { generatedFilesDir }: PageMakings): string {
  return `@generated/${relativePath(generatedFilesDir, path)}`
}
