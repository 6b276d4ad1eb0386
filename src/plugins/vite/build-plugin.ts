import type { Plugin, ResolvedConfig } from 'vite'
import type { ProjectPlace } from '../adapter/place-project.ts'
import type { PluginOptions } from '../adapter/plugin-options.ts'
import type { BuildRun } from './build-run.ts'
import { bundleName } from './bundle-name.ts'
import type { SharedSource } from './content-source.ts'
import { type BuildEnd, endBuild, endBuildOrThrow } from './end-build.ts'
import { toThrownError, toViteError } from './explain-failure.ts'
import { findProject } from './find-project.ts'
import { findOtherTool } from './other-tools.ts'
import { placeLast } from './place-last.ts'
import { shareRun } from './shared-runs.ts'
import { viteHost } from './vite-host.ts'
import { afterVitePress, vitePressOf } from './vitepress.ts'
import { writeVirtualTypes } from './virtual-types.ts'
import { watchedFiles } from './watched-files.ts'

interface Build {
  readonly config: ResolvedConfig
  readonly project: ProjectPlace
  readonly run: BuildRun
  readonly end: BuildEnd
}

/** Checks before a build, and sends after it. */
export function buildPlugin(options: PluginOptions, shared: SharedSource): Plugin[] {
  let build: Build | undefined
  const known = (): Build => {
    if (build === undefined) throw new Error('Vite has not resolved its configuration yet.')
    return build
  }
  const begin: Plugin = {
    name: 'kb-sync:app',
    apply: 'build',
    // Vite 7 and later ask this before the first environment is built.
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
        // VitePress has its pages still to render.
        if (vitePressOf(config) !== undefined) return
        const failure = await endBuild(end)
        if (failure === undefined) return
        if (!isWatching(known())) this.error({ message: failure, stack: '' })
        // A build that watches goes on, and Vite waits for nobody's closing then.
        config.logger.error(`[kb-sync] ${failure}`)
      },
    },
    buildApp: {
      order: 'post',
      async handler({ environments }) {
        if (isWatching(known())) return
        const { run, end } = known()
        const all = Object.values(environments)
        // Where nobody builds them, Vite does it after this.
        const isBuilt = all.some((environment) => environment.isBuilt)
        run.endApp(isBuilt ? [] : all.map(({ name }) => name))
        if (isBuilt) await endBuildOrThrow(end, 'stack')
      },
    },
  }
  return [begin, main, last]
}

function prepare(options: PluginOptions, config: ResolvedConfig, before: Build | undefined): Build {
  const project = findProject(config.root, options.config)
  const site = vitePressOf(config)
  const host = viteHost('build', project.cwd, site?.logger ?? config.logger)
  const run = shareRun({ ...options, config: project.config }, host)
  const end = { run, host, other: findOtherTool(config), isWanted: options.sync === 'build' }
  const build = { config, project, run, end }
  // Its client and its server are built with the same plugins and the same site.
  const isFollowed = before !== undefined && vitePressOf(before.config) === site
  if (site !== undefined && !isFollowed) afterVitePress(site, () => endBuildOrThrow(end, 'both'))
  followOldBuilder(build)
  return build
}

/** A build that watches never ends: each of its bundles counts by itself. */
function isWatching({ config }: Build): boolean {
  return config.build.watch !== null
}

function beginApp(build: Build): void {
  if (!isWatching(build)) build.run.beginApp()
}

/** Vite 6 builds environments in turn, too, but asks no plugin. */
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
