import { createKb, type Site, type SyncResult } from '../../index.ts'
import type { Adapter, AdapterHost, Reading, SyncEnd } from './adapter.ts'
import { contentFailure, formatPlainly } from './content-failure.ts'
import { explainProblem, summarizeSync } from './explain-sync.ts'
import { maySync } from './may-sync.ts'
import type { PluginOptions } from './plugin-options.ts'
import { watchProject } from './watch-project.ts'

/** The core of a build plugin; the plugin translates between it and its tool. */
export function createAdapter(options: PluginOptions, host: AdapterHost): Adapter {
  const { cwd, mode, env } = host
  const kb = createKb({ cwd, config: options.config, env })
  const drafts = options.drafts ?? mode === 'dev'
  let opened: Promise<Site> | undefined
  let built: Promise<Reading> | undefined
  let synced: Promise<SyncEnd> | undefined
  let site: Site | undefined
  let hasFailed = false
  let stopWatching: (() => Promise<void>) | undefined

  async function open(): Promise<Site> {
    opened ??= kb.openSite({ links: options.links, drafts })
    return (site = await opened)
  }

  async function readOnce(): Promise<Reading> {
    const { root, read } = await open()
    const { view, touched } = await read({ asksHistory: mode === 'build' })
    const reading = { view, touched, failure: contentFailure(view.diagnostics, root) }
    if (mode === 'build') tellProblems(reading, root)
    return reading
  }

  function tellProblems({ view, failure }: Reading, root: string): void {
    if (failure !== undefined && options.check !== 'warn') hasFailed = true
    const told = view.diagnostics.filter(({ severity }) => severity === 'warning' || options.check === 'warn')
    if (told.length > 0) host.warn(formatPlainly(told, root))
  }

  async function syncOnce(): Promise<SyncEnd> {
    if (options.sync !== 'build' || mode !== 'build') return { kind: 'skipped', reason: undefined }
    if (hasFailed) return { kind: 'skipped', reason: 'the build failed' }
    const permit = maySync(env)
    if (permit.kind === 'refused') return { kind: 'skipped', reason: permit.reason }
    built ??= readOnce()
    const { failure } = await built
    if (failure !== undefined) return { kind: 'skipped', reason: 'the content has problems' }
    const { root } = await open()
    return endOf(await kb.sync(), root)
  }

  async function close(): Promise<void> {
    await stopWatching?.()
    stopWatching = undefined
    // What could not be opened has been told.
    await opened?.then(
      (each) => each.close(),
      () => undefined,
    )
    opened = built = synced = site = undefined
  }

  return {
    root: async () => (await open()).root,
    watched: async () => {
      const { contentFolder, configFiles } = await open()
      return { content: contentFolder, configFiles }
    },
    read: () => (mode === 'build' ? (built ??= readOnce()) : readOnce()),
    failureOf: ({ failure }) => (options.check === 'warn' ? undefined : failure),
    readBody: (id) => site?.readBody(id),
    fail: () => {
      hasFailed = true
    },
    renew: () => {
      built = synced = undefined
      hasFailed = false
    },
    sync: () => (synced ??= syncOnce()),
    watch: () => {
      if (options.sync === 'watch' && mode === 'dev') stopWatching ??= watchProject(kb, host)
    },
    reopen: async () => {
      const before = opened
      opened = built = synced = undefined
      await before?.then(
        (each) => each.close(),
        () => undefined,
      )
    },
    close,
  }
}

function endOf(result: SyncResult, root: string): SyncEnd {
  const problem = explainProblem(result, root)
  return problem === undefined
    ? { kind: 'synced', text: summarizeSync(result) }
    : { kind: 'failed', text: problem }
}
