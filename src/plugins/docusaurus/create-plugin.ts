import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import type { Adapter, Reading } from '../adapter/adapter.ts'
import { createAdapter } from '../adapter/create-adapter.ts'
import { createLoader } from './create-loader.ts'
import { type DocusaurusOptions, normaliseOptions } from './docusaurus-options.ts'
import type { DocusaurusPlugin, LoadContext, PluginActions } from './docusaurus-types.ts'
import { describeContent } from './global-data.ts'
import { makePages } from './locale-pages.ts'
import { registerPages } from './register-pages.ts'
import { problemReporter, type ShownProblems } from './report-problems.ts'
import type { SharedAdapters } from './shared-adapters.ts'
import { createAddresses, type SiteAddresses } from './site-addresses.ts'
import { withoutStack } from './tool-error.ts'
import type { ToolLogger } from './tool-logger.ts'
import { codeFile } from '../../core/package-files.ts'

export interface PluginMakings {
  readonly adapters: SharedAdapters
  readonly env: Readonly<Record<string, string | undefined>>
  readonly loadLogger: (siteDir: string) => ToolLogger
}

/** An adapter, and what Docusaurus tells it. */
interface Run {
  readonly mode: 'build' | 'dev'
  readonly adapter: Adapter
  readonly finish: () => void
  readonly watch: () => void
}

/** The plugin for one locale of a site. Nothing of the content is read before Docusaurus asks for it. */
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
  // After two quick edits Docusaurus asks for both at once; what was read last must be what is written last.
  const inTurn = pLimit(1)
  let reading: Reading | undefined
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
      // Other commands ask, too, and one of them writes to what it is told: they have not loaded the content.
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
): Promise<Run> {
  // Only `start` and commands that build nothing leave this at what it is by default.
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
  readonly addresses: SiteAddresses | undefined
  readonly adapter: Adapter
  readonly reading: Reading
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

function problemsOf(reading: Reading, adapter: Adapter): ShownProblems | undefined {
  const { failure } = reading
  if (failure === undefined) return undefined
  const kind = adapter.failureOf(reading) === undefined ? 'warning' : 'error'
  return { kind, message: `kb-sync: ${failure.title}\n\n${failure.report}` }
}
