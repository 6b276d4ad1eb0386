import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { escapeControl } from '../../core/escape-control.ts'
import type { AdapterHost, Adapter } from '../adapter/adapter.ts'
import { createAdapter } from '../adapter/create-adapter.ts'
import type { ProjectPlace } from '../adapter/place-project.ts'
import type { PluginOptions } from '../adapter/plugin-options.ts'
import { type BuildRun, createBuildRun } from './build-run.ts'
import type { SharedSource } from './content-source.ts'
import { toThrownError, toViteError } from './explain-failure.ts'
import {
  findProject,
  configCandidates,
  findOtherTool,
  type OtherTool,
  viteHost,
  afterVitePress,
  vitePressOf,
} from './vite-project.ts'
import { writeVirtualTypes } from './virtual-types.ts'
import { reportSyncEnd } from '../adapter/explain-sync.ts'

interface Build {
  readonly config: ResolvedConfig
  readonly project: ProjectPlace
  readonly run: BuildRun
  readonly end: BuildEnd
}

/** Checks the content before a build, and syncs after it. */
export function buildPlugin(options: PluginOptions, shared: SharedSource): Plugin[] {
  let build: Build | undefined
  const known = (): Build => {
    if (build === undefined) throw new Error('Vite has not resolved its configuration yet.')
    return build
  }
  const begin: Plugin = {
    name: 'kb-sync:app',
    apply: 'build',
    // Vite 7 and later call this before the first environment is built.
    buildApp: { order: 'pre', handler: async () => beginApp(known()) },
  }
  const main: Plugin = {
    name: 'kb-sync',
    apply: 'build',
    configResolved(config) {
      build = prepare(options, config, build)
      const { adapter } = build.run
      shared.current = { read: adapter.read, readBody: adapter.readBody }
    },
    async buildStart() {
      const { config, project, run } = known()
      run.begin(bundleName(config, this.environment?.name ?? ''))
      if (this.meta.watchMode)
        for (const file of await watchedFiles(run.adapter, project)) this.addWatchFile(file)
      const reading = await run.adapter.read().catch((error: unknown) => this.error(toThrownError(error)))
      const root = await run.adapter.root()
      await writeVirtualTypes(root, reading.view)
      const failure = run.adapter.failureOf(reading)
      if (failure !== undefined) this.error(toViteError(failure, root))
    },
    async watchChange(file) {
      const { adapter } = known().run
      const watched = await adapter.watched().catch(() => undefined)
      if (watched === undefined || watched.configFiles.includes(file)) adapter.reopen()
    },
    buildEnd(error) {
      if (error !== undefined) known().run.fail()
    },
    renderStart() {
      if (known().config.build.write) known().run.render()
    },
    renderError() {
      known().run.fail()
    },
  }
  return [begin, main, syncPlugin(known)]
}

function syncPlugin(known: () => Build): Plugin {
  const last: Plugin = {
    name: 'kb-sync:sync',
    apply: 'build',
    configResolved: (config) => placeLast(config, last),
    writeBundle: { order: 'post', sequential: true, handler: () => known().run.written() },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const { config, run, end } = known()
        const environment = this.environment?.name ?? ''
        run.close(bundleName(config, environment), environment)
        // VitePress has not rendered its pages yet.
        if (vitePressOf(config) !== undefined) return
        const failure = await endBuild(end)
        if (failure === undefined) return
        if (!isWatching(known())) this.error({ message: failure, stack: failure })
        // A watching build continues, and Vite does not wait for closing hooks then.
        config.logger.error(`[kb-sync] ${failure}`)
      },
    },
    buildApp: {
      order: 'post',
      async handler({ environments }) {
        if (isWatching(known())) return
        const { run, end } = known()
        const all = Object.values(environments)
        // If no plugin builds them, Vite does so afterwards.
        const isBuilt = all.some((environment) => environment.isBuilt)
        run.endApp(isBuilt ? [] : all.map(({ name }) => name))
        if (isBuilt) await endBuildOrThrow(end, 'stack')
      },
    },
  }
  return last
}

function prepare(options: PluginOptions, config: ResolvedConfig, before: Build | undefined): Build {
  const project = findProject(config.root, options.config)
  const site = vitePressOf(config)
  const host = viteHost('build', project.cwd, site?.logger ?? config.logger)
  const run = shareRun({ ...options, config: project.config }, host)
  const end = { run, host, other: findOtherTool(config), isRequested: options.sync === 'build' }
  const build = { config, project, run, end }
  // Client and server are built with the same plugins and the same site.
  const isFollowed = before !== undefined && vitePressOf(before.config) === site
  if (site !== undefined && !isFollowed) afterVitePress(site, () => endBuildOrThrow(end, 'both'))
  followOldBuilder(build)
  return build
}

/** True for a watching build, which never ends: each bundle counts separately. */
function isWatching({ config }: Build): boolean {
  return config.build.watch !== null
}

function beginApp(build: Build): void {
  if (!isWatching(build)) build.run.beginApp()
}

/** Follows the builder of Vite 6, which also builds environments in turn, but calls no plugin. */
function followOldBuilder(build: Build): void {
  const { builder } = build.config
  const buildApp = builder?.buildApp
  if (builder === undefined || buildApp === undefined) return
  builder.buildApp = async (...given) => {
    if (build.run.isApp() || isWatching(build)) return buildApp(...given)
    build.run.beginApp()
    await buildApp(...given)
    build.run.endApp([])
    await endBuildOrThrow(build.end, 'stack')
  }
}

/** Identifies a bundle within a build. The same name again means a new build. */
function bundleName({ build }: Pick<ResolvedConfig, 'build'>, environment: string): string {
  const { outDir, ssr, lib, rollupOptions } = build
  return JSON.stringify([
    environment,
    outDir,
    ssr,
    lib === false ? undefined : lib.entry,
    rollupOptions.input,
  ])
}

/**
 * Moves a plugin after all others, including those with `enforce: 'post'`. Its hooks with `order: 'post'` then run
 * last, and if they are `sequential`, too, they do not run after another plugin's hook has failed. Call it in
 * `configResolved`, before anything is built.
 */
function placeLast(config: ResolvedConfig, plugin: Plugin): void {
  const plugins = config.plugins as Plugin[]
  const place = plugins.indexOf(plugin)
  if (place === -1) return
  plugins.splice(place, 1)
  plugins.push(plugin)
}

// The only state of the process: a build within a build, and every environment of an app, loads Vite's configuration
// again. This creates plugins that do not know each other, but belong to one build of one site.
const runs = new Map<string, BuildRun>()

/** Returns the build of a plugin, shared by all plugins with the same project and options. */
function shareRun(options: PluginOptions, host: AdapterHost): BuildRun {
  const key = JSON.stringify([host.cwd, options], (_, value: unknown) =>
    typeof value === 'function' ? value.toString() : value,
  )
  const run = runs.get(key) ?? createBuildRun(createAdapter(options, host))
  runs.set(key, run)
  return run
}

/**
 * Returns absolute paths for a watching build. A folder covers its new files. Includes an invalid configuration, so
 * that its fix is noticed.
 */
async function watchedFiles(adapter: Adapter, project: ProjectPlace): Promise<string[]> {
  const candidates = configCandidates(project).filter((file) => existsSync(file))
  const watched = await adapter.watched().catch(() => undefined)
  if (watched === undefined) return candidates
  const { content, configFiles } = watched
  const below = existsSync(content) ? readdirSync(content, { recursive: true, withFileTypes: true }) : []
  const files = below.map(({ parentPath, name }) => join(parentPath, name))
  return [...new Set([...candidates, ...configFiles, content, ...files])]
}

interface BuildEnd {
  readonly run: BuildRun
  readonly host: Pick<AdapterHost, 'info' | 'warn'>
  /** The tool that continues after the bundles, if any. */
  readonly other: OtherTool | undefined
  /** True if a sync after the build is requested. */
  readonly isRequested: boolean
}

/**
 * Ends a build. Syncs if all of it is complete and successful.
 *
 * @returns the text to fail the build with; undefined without a failure
 */
async function endBuild({ run, host, other, isRequested }: BuildEnd): Promise<string | undefined> {
  if (!isRequested || !run.isComplete()) return undefined
  // Asked now: a watching build may have started the next build when the sync ends.
  const isFirst = run.isFirstReport()
  if (other !== undefined) {
    if (isFirst) host.warn(`not synced: ${other.advice}`)
    return undefined
  }
  const end = await run.adapter.sync()
  const failure = end.kind === 'failed' || isFirst ? reportSyncEnd(end, host.info) : undefined
  return failure && escapeControl(`The site is built, but not synced. ${failure}`)
}

/**
 * Does the same if no hook of a bundle can end the build.
 *
 * @param printed parts of an error that the tool prints: the stack in the plugin is useless
 * @throws Error that fails the build
 */
async function endBuildOrThrow(end: BuildEnd, printed: 'stack' | 'both'): Promise<void> {
  const failure = await endBuild(end)
  if (failure === undefined) return
  throw Object.assign(new Error(failure), { stack: printed === 'both' ? '' : failure })
}
