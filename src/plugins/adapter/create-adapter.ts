import pLimit from 'p-limit'
import { readEnvironment } from '../../core/config/resolve-target.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { labelOf } from '../../core/model/plan.ts'
import { createKb, KbError, type Site, type Kb, type WatchedOperation, type WatchEvent } from '../../index.ts'
import type { Adapter, AdapterHost, ContentReading, SyncEnd } from './adapter.ts'
import { type ContentFailure, contentFailure, formatPlainly } from './content-failure.ts'
import { explainSyncFailure, explainProblem, formatSyncSummary } from './explain-sync.ts'
import { maySync } from './may-sync.ts'
import { placeProject } from './place-project.ts'
import type { PluginOptions } from './plugin-options.ts'

/** Creates the core of a build plugin. The plugin connects it to its tool. */
export function createAdapter(options: PluginOptions, host: AdapterHost): Adapter {
  const { cwd, mode, env } = host
  const kb = createKb({ ...placeProject(cwd, options.config), env })
  const drafts = options.drafts ?? mode === 'dev'
  const sites = createSites(() => kb.openSite({ links: options.links, drafts }))
  const send = createSender(kb)
  const watching = createWatching(kb, host, options.sync === 'watch' && mode === 'dev')
  let built: Promise<ContentReading> | undefined
  let synced: Promise<SyncEnd> | undefined
  let hasFailed = false

  async function readOnce(): Promise<ContentReading> {
    const site = await sites.open()
    const { view, touched } = await site.read({ asksHistory: mode === 'build' })
    sites.closeThoseBefore(site)
    const failure = contentFailure(view.diagnostics, site.root)
    if (mode === 'build') {
      hasFailed ||= failure !== undefined && options.check !== 'warn'
      const shown = view.diagnostics.filter((each) => each.severity === 'warning' || options.check === 'warn')
      if (shown.length > 0) host.warn(formatPlainly(shown, site.root))
    }
    return { view, touched, failure }
  }

  async function syncOnce(): Promise<SyncEnd> {
    if (options.sync !== 'build' || mode !== 'build') return { kind: 'skipped', reason: undefined }
    if (hasFailed) return { kind: 'skipped', reason: 'the build failed' }
    const permit = maySync(env)
    if (permit.kind === 'refused') return { kind: 'skipped', reason: permit.reason }
    const { failure } = await (built ??= readOnce())
    if (failure !== undefined) return { kind: 'failed', text: explainNoSync(failure, options) }
    return send((await sites.open()).root)
  }

  return {
    root: sites.root,
    watched: sites.watched,
    read: () => (mode === 'build' ? (built ??= readOnce()) : readOnce()),
    failureOf: ({ failure }) => (options.check === 'warn' ? undefined : failure),
    readBody: (id) => sites.lastRead()?.readBody(id),
    bodyDigest: (id) => sites.lastRead()?.bodyDigest(id),
    fail: () => void (hasFailed = true),
    renew: () => {
      built = synced = undefined
      hasFailed = false
    },
    sync: () => (synced ??= syncOnce().catch(failedEnd)),
    watch: watching.start,
    endWatch: watching.endForGood,
    reopen: () => {
      sites.reopen()
      built = undefined
    },
    close: async () => {
      built = undefined
      await Promise.all([watching.end(), sites.close()])
    },
  }
}

/** Manages the open site, and earlier ones until the new one is read: their bodies are available until then. */
function createSites(openSite: () => Promise<Site>) {
  let opened: Promise<Site> | undefined
  const sites: Site[] = []
  async function open(): Promise<Site> {
    const opening = (opened ??= openSite().then((site) => {
      sites.push(site)
      return site
    }))
    try {
      return await opening
    } catch (error) {
      // The user may fix the cause before the next call.
      if (opened === opening) opened = undefined
      throw error
    }
  }
  return {
    open,
    root: async () => (await open()).root,
    watched: async () => {
      const { contentFolder, configFiles } = await open()
      return { content: contentFolder, configFiles }
    },
    closeThoseBefore: (site: Site) => {
      for (const each of sites.splice(0, Math.max(0, sites.indexOf(site)))) each.close()
    },
    lastRead: () => sites[0],
    reopen: () => void (opened = undefined),
    close: async () => {
      const opening = opened
      opened = undefined
      // The failure to open a site was already reported.
      await opening?.catch(() => undefined)
      for (const site of sites.splice(0)) site.close()
    },
  }
}

/** Explains why a requested sync did not happen. */
function explainNoSync({ title, report }: ContentFailure, { check }: PluginOptions): string {
  const reason = `Nothing was sent because of ${title}`
  return check === 'warn' ? `${reason}, shown above.` : `${reason}:\n\n${report}`
}

/** Syncs take turns: a watching build may end before the sync of the last one, which holds the lock. */
function createSender(kb: Kb): (root: string) => Promise<SyncEnd> {
  const inTurn = pLimit(1)
  return (root) =>
    inTurn(async () => {
      const { onConflict } = (await kb.loadSettings()).sync
      const result = await kb.sync()
      const problem = explainProblem(result, root, onConflict)
      return problem === undefined
        ? { kind: 'synced', text: formatSyncSummary(result) }
        : { kind: 'failed', text: problem }
    })
}

function failedEnd(error: unknown): SyncEnd {
  if (error instanceof KbError) return { kind: 'failed', text: explainSyncFailure(error) }
  throw error
}

function createWatching(kb: Kb, host: AdapterHost, isRequested: boolean) {
  let mayStart = isRequested
  let stop: (() => Promise<void>) | undefined
  return {
    start: () => {
      if (mayStart) stop ??= watchProject(kb, host)
    },
    end: async () => {
      const stopped = stop?.()
      stop = undefined
      await stopped
    },
    endForGood: async () => {
      mayStart = false
      await stop?.()
    },
  }
}

/** Sends every save and reports it. The tool shows the problems of the files. @returns ends the watch */
function watchProject(kb: Kb, host: AdapterHost): () => Promise<void> {
  const stop = new AbortController()
  const over = watch(kb, host, stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return
    const reason = error instanceof KbError ? explainSyncFailure(error) : String(error)
    host.warn(`nothing is sent from now on: ${reason}`)
  })
  return () => {
    stop.abort()
    return over
  }
}

async function watch(kb: Kb, { env, info, warn }: AdapterHost, signal: AbortSignal): Promise<void> {
  if (readEnvironment(env).sync === false) return info('nothing is sent: KB_SYNC is 0')
  const onEvent = (event: WatchEvent) => {
    const message = describeEvent(event)
    if (message !== undefined) (message.isProblem ? warn : info)(escapeControl(message.text))
  }
  await kb.watch({ pages: false, signal, onEvent })
}

interface Message {
  readonly text: string
  readonly isProblem?: true
}

type Describe = {
  readonly [Kind in WatchEvent['kind']]?: (event: Extract<WatchEvent, { kind: Kind }>) => Message
}

/** Short messages for the terminal, since the author works in the browser. */
const DESCRIBE: Describe = {
  ready: ({ result: { target, summary } }) => {
    const { created, updated, replaced, deleted, unchanged } = summary
    const changed = created + updated + replaced
    const sent = `${changed} sent and ${deleted} deleted now`
    return { text: `watching; ${target} has ${pluralize(changed + unchanged, 'article')}, ${sent}` }
  },
  sent: ({ operations }) => ({ text: operations.map(describeOperation).join('\n') }),
  orphaned: ({ source, isDelayed }) => ({
    text: `${source} was deleted; its article stays${isDelayed === true ? ' until nothing is held back.' : '. kb sync --prune deletes it.'}`,
    isProblem: true,
  }),
  guarded: ({ reason }) => ({ text: reason, isProblem: true }),
  offline: ({ failure }) => ({ text: `${failure.message} It will be tried again.`, isProblem: true }),
  unreadable: ({ failure }) => ({ text: `${failure.message} It will be tried again.`, isProblem: true }),
  online: () => ({ text: 'the target responds again' }),
}

function describeEvent(event: WatchEvent): Message | undefined {
  const describe = DESCRIBE[event.kind] as ((event: WatchEvent) => Message) | undefined
  return describe?.(event)
}

function describeOperation(operation: WatchedOperation): string {
  const { slug, source = slug, outcome, reason } = operation
  const done = `${labelOf(operation)} ${source} ${outcome}`
  return reason === undefined ? done : `${done}: ${reason}`
}
