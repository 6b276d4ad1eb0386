import { readEnvironment } from '../../core/config/resolve-target.ts'
import { type Kb, KbError, type WatchedOperation, type WatchEvent } from '../../index.ts'
import { counted } from '../../core/counted.ts'
import { printable } from '../../core/printable.ts'
import type { AdapterHost } from './adapter.ts'
import { explainFailure } from './explain-sync.ts'

/** Sends what is saved, and says so; problems of the files are the tool's to show. @returns ends the watch */
export function watchProject(kb: Kb, host: AdapterHost): () => Promise<void> {
  const stop = new AbortController()
  const over = watch(kb, host, stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return
    const reason = error instanceof KbError ? explainFailure(error) : String(error)
    host.warn(`nothing is sent any more: ${reason}`)
  })
  return () => {
    stop.abort()
    return over
  }
}

async function watch(kb: Kb, { env, info, warn }: AdapterHost, signal: AbortSignal): Promise<void> {
  if (readEnvironment(env).sync === false) return info('nothing is sent: KB_SYNC is 0')
  const tell = (event: WatchEvent) => {
    const told = describeEvent(event)
    if (told !== undefined) (told.isTrouble ? warn : info)(printable(told.text))
  }
  await kb.watch({ pages: false, signal, onEvent: tell })
}

interface Told {
  readonly text: string
  readonly isTrouble?: true
}

type Describe = {
  readonly [Kind in WatchEvent['kind']]?: (event: Extract<WatchEvent, { kind: Kind }>) => Told
}

/** What is worth a line while somebody looks at the page, not at the terminal. */
const DESCRIBE: Describe = {
  ready: ({ result: { target, summary } }) => {
    const { created, updated, replaced, deleted, unchanged } = summary
    const changed = created + updated + replaced
    const sent = `${changed} sent and ${deleted} deleted now`
    return { text: `watching; ${target} has ${counted(changed + unchanged, 'article')}, ${sent}` }
  },
  sent: ({ operations }) => ({ text: operations.map(describeOperation).join('\n') }),
  orphaned: ({ source }) => ({
    text: `${source} is gone; its article stays. kb sync --prune deletes it.`,
    isTrouble: true,
  }),
  guarded: ({ reason }) => ({ text: reason, isTrouble: true }),
  offline: ({ failure }) => ({ text: `${failure.message} It is tried again.`, isTrouble: true }),
  unreadable: ({ failure }) => ({ text: `${failure.message} It is tried again.`, isTrouble: true }),
  online: () => ({ text: 'the target answers again' }),
}

function describeEvent(event: WatchEvent): Told | undefined {
  const describe = DESCRIBE[event.kind] as ((event: WatchEvent) => Told) | undefined
  return describe?.(event)
}

function describeOperation({ action, source, slug, outcome, reason }: WatchedOperation): string {
  const done = `${action} ${source === '' ? slug : source} ${outcome}`
  return reason === undefined ? done : `${done}: ${reason}`
}
