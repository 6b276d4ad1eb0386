import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import type { Settings } from '../../../core/config/settings.ts'
import type { FoundLink } from '../../../content/pipeline/load-content.ts'
import type { SourceProblem } from '../../../content/source/source-problem.ts'
import { parseUrl } from '../../../core/parse-url.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import type { AddressCheckOptions } from '../../../api/link-probe/create-address-check.ts'
import type { ResolveHost } from '../../../api/link-probe/address-guard.ts'
import { isUnreached, type Observation } from '../../../api/link-probe/observation.ts'
import type { RequestLimits } from '../../../api/link-probe/request-limiter.ts'
import { workspaceOf } from '../../../sync/state/workspace.ts'
import type { Progress } from '../../../sync/target-session.ts'
import { readProgramVersion } from '../../../core/version.ts'
import { type LinkMemory, openLinkMemory } from './link-memory.ts'
import { createIsIgnored, toWebAddress } from './web-address.ts'

export interface ExternalOptions extends AddressCheckOptions {
  readonly limits?: Partial<RequestLimits> | undefined
  /** Default: timers. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
}

interface ExternalTask extends ExternalOptions {
  readonly settings: Pick<Settings, 'root' | 'ignoredLinks'>
  readonly links: readonly FoundLink[]
  /** True if nothing may be written to .kb. */
  readonly leavesNoTrace: boolean
  readonly now: () => Date
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

/** The figures of a check of external links. A URL counts once, however many links lead to it. */
export interface ExternalSummary {
  readonly addresses: number
  /** URLs that were requested now. The results of others are from earlier runs. */
  readonly asked: number
  readonly broken: number
  /** URLs without a result: the host is busy, requires a sign-in, or is private, or there is no network. */
  readonly unknown: number
  /** Set if no host could be reached. */
  readonly isOffline?: true
  /** URLs that were ignored according to the configuration, or because they are examples. */
  readonly ignored: number
}

/** Faster than a server that checks continuously, and still polite. */
const LIMITS: RequestLimits = { concurrency: 16, perHost: 2, hostPauseMs: 250 }

/**
 * Requests every URL of `links` that was not requested recently, and reports broken links.
 *
 * @throws KbError INTERRUPTED; results so far are stored
 */
export async function checkExternalLinks(task: ExternalTask) {
  const { now } = task
  const nowMs = () => now().getTime()
  const { asked, ignored, invalid } = sortAddresses(task)
  const memory = openLinkMemory(memoryFile(task), nowMs)
  const seen = new Map<string, Observation>()
  for (const address of asked) {
    const before = memory.recall(address)
    if (before !== undefined) seen.set(address, before)
  }
  const open = asked.filter((address) => !seen.has(address))
  const isOffline = open.length > 0 && (await ask(open, seen, memory, task, nowMs))
  const broken = [...seen.values()].filter(({ kind }) => kind === 'broken')
  const unjudged = [...seen].flatMap(([address, { kind }]) =>
    kind === 'busy' || kind === 'closed' ? [address] : [],
  )
  return {
    summary: {
      addresses: asked.length + invalid,
      asked: open.length,
      broken: broken.length + invalid,
      unknown: unjudged.length,
      ignored,
      ...(isOffline && { isOffline }),
    },
    /** By URL, see `toWebAddress`; includes results of earlier runs. */
    seen,
    /** Of those, the ones without a result. */
    unjudged,
    problems: problemsOf(task.links, seen),
  }
}

function memoryFile({ settings, leavesNoTrace, allowPrivateAddresses = false }: ExternalTask) {
  return leavesNoTrace ? undefined : linkMemoryFile(settings.root, allowPrivateAddresses)
}

/** Returns the file with the results of checks of external links. */
export function linkMemoryFile(root: string, allowPrivateAddresses: boolean): string {
  const name = allowPrivateAddresses ? 'all-external-links.json' : 'external-links.json'
  return join(workspaceOf(root).folder, 'cache', name)
}

/** Returns each URL once, in the order of the links. Invalid URLs are broken without a request. */
function sortAddresses({ links, settings }: ExternalTask) {
  const isIgnored = createIsIgnored(settings.ignoredLinks)
  const urls = [...new Set(links.map(({ link }) => link.url))]
  const addresses = new Set(urls.flatMap((url) => toWebAddress(url) ?? []))
  const asked = [...addresses].filter((address) => !isIgnored(address))
  const invalid = urls.filter((url) => toWebAddress(url) === undefined).length
  return { asked, ignored: addresses.size - asked.length, invalid }
}

/** Returns whether the network is down. */
async function ask(
  addresses: readonly string[],
  seen: Map<string, Observation>,
  memory: LinkMemory,
  task: ExternalTask,
  nowMs: () => number,
): Promise<boolean> {
  // Loaded on demand: a check without external links does not need an HTTP client.
  const [{ createAddressCheck }, { createInterruptibleSleep }] = await Promise.all([
    import('../../../api/link-probe/create-address-check.ts'),
    import('../../../api/link-probe/interruptible-sleep.ts'),
  ])
  const stopper = new AbortController()
  const stop = () => stopper.abort()
  task.signal?.addEventListener('abort', stop)
  if (task.signal?.aborted === true) stop()
  const sleep = task.sleep ?? createInterruptibleSleep(stopper.signal, true).sleep
  const limits = { ...LIMITS, ...task.limits }
  const checking = createAddressCheck({
    ...task,
    version: readProgramVersion(),
    limits,
    nowMs,
    sleep,
    stop: stopper.signal,
  })
  const already = seen.size
  const onSeen = (address: string, observation: Observation) => {
    seen.set(address, observation)
    memory.remember(address, observation)
    task.onProgress?.('links', seen.size - already, addresses.length)
  }
  let isOffline = false
  try {
    await askAddresses(addresses, { check: checking.check, sleep, onSeen })
  } catch (error) {
    if (task.signal?.aborted !== true) throw error
    throw interrupted(seen.size - already, addresses.length)
  } finally {
    task.signal?.removeEventListener('abort', stop)
    stop()
    await checking.close()
    isOffline = await markOffline(addresses, seen, task)
    if (isOffline) for (const address of addresses) memory.forget(address)
    await memory.save()
  }
  return isOffline
}

/** If so many hosts fail and no other works, the network is down. A few may all have a typo. */
const FEWEST_HOSTS = 3

/** A name that IANA keeps resolvable (RFC 2606, section 3). */
const KNOWN_HOST = 'example.com'

/** If no host could be reached, marks broken links as unknown, because the results say nothing about them. */
async function markOffline(
  asked: readonly string[],
  seen: Map<string, Observation>,
  { signal, resolve = (host) => lookup(host, { all: true }) }: ExternalTask,
): Promise<boolean> {
  const found = asked.flatMap((address) => seen.get(address) ?? [])
  if (found.length === 0 || !found.every(isUnreached)) return false
  const hosts = new Set(asked.map((address) => parseUrl(address)?.hostname))
  // An interruption does not wait for a name: without a network, that may take many seconds.
  const isClear = hosts.size >= FEWEST_HOSTS || signal?.aborted === true
  if (!isClear && (await isResolved(resolve))) return false
  for (const address of asked) {
    const observation = seen.get(address)
    if (observation?.kind === 'broken')
      seen.set(address, { kind: 'closed', status: null, reason: observation.reason })
  }
  return true
}

async function isResolved(resolve: ResolveHost): Promise<boolean> {
  try {
    return (await resolve(KNOWN_HOST)).length > 0
  } catch {
    return false
  }
}

function problemsOf(links: readonly FoundLink[], seen: ReadonlyMap<string, Observation>) {
  const problems = new Map<string, SourceProblem>()
  for (const { source, link } of links) {
    const { url, ...place } = link
    const address = toWebAddress(url)
    const observation = address === undefined ? undefined : seen.get(address)
    const reason = address === undefined ? 'the URL is not valid' : brokenReason(observation)
    if (reason === undefined) continue
    const problem = {
      code: 'link-external-broken',
      message: `${url}${BROKEN}${reason}.`,
      hint: 'Correct the URL. To exclude it from the check, add it to links.ignore in kb.config.ts.',
      ...place,
    } as const
    // A snippet that several articles include has each problem once.
    problems.set(`${place.source ?? source}:${place.line}:${place.column}:${url}`, { source, problem })
  }
  return [...problems.values()]
}

const BROKEN = ' does not work: '

/** Returns the URL of a `link-external-broken` problem, see `toWebAddress`. */
export function addressOfProblem(message: string): string | undefined {
  return toWebAddress(message.slice(0, Math.max(0, message.lastIndexOf(BROKEN))))
}

function brokenReason(observation: Observation | undefined): string | undefined {
  return observation?.kind === 'broken' ? observation.reason : undefined
}

function interrupted(done: number, total: number): KbError {
  return new KbError('INTERRUPTED', `Stopped after ${done} of ${total} links to other sites.`, {
    hint: 'Run the command again: it continues with the other links.',
  })
}

interface AskParts {
  readonly check: (address: string) => Promise<Observation>
  readonly sleep: (ms: number) => Promise<void>
  /** Called with every result. If a URL is requested again, the last one counts. */
  readonly onSeen: (address: string, observation: Observation) => void
}

/** Pause before a URL that failed is requested again, because the failure may be temporary. */
const SECOND_LOOK_MS = 3000

/** Maximum pause that a host may request. Longer ones are not waited for. */
const PATIENCE_MS = 60_000

const MOST_ROUNDS = 3

/**
 * Requests every URL, and again after a pause if the result may be temporary: once if the server or the connection
 * failed, a few times if a host asks to retry within a minute.
 *
 * @throws only what `check` throws
 */
async function askAddresses(addresses: readonly string[], parts: AskParts): Promise<void> {
  let open: readonly string[] = addresses
  for (let round = 1; open.length > 0; round++) {
    const seen = new Map<string, Observation>()
    await Promise.all(
      open.map(async (address) => {
        const observation = await parts.check(address)
        seen.set(address, observation)
        parts.onSeen(address, observation)
      }),
    )
    if (round === MOST_ROUNDS) return
    const again = [...seen].filter(([, observation]) => mayPass(observation, round))
    if (again.length === 0) return
    await parts.sleep(Math.max(...again.map(([, observation]) => pauseMs(observation))))
    open = again.map(([address]) => address)
  }
}

function mayPass(observation: Observation, round: number): boolean {
  if (observation.kind === 'busy') return observation.retryAfterMs <= PATIENCE_MS
  if (observation.kind !== 'broken' || round > 1) return false
  return observation.status === null || observation.status >= 500
}

function pauseMs(observation: Observation): number {
  return observation.kind === 'busy' ? observation.retryAfterMs : SECOND_LOOK_MS
}
