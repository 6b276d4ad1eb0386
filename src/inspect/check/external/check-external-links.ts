import { join } from 'node:path'
import type { Settings } from '../../../core/config/settings.ts'
import type { FoundLink } from '../../../content/pipeline/load-content.ts'
import type { SourceProblem } from '../../../content/source/source-problem.ts'
import { parseUrl } from '../../../core/parse-url.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import type { AddressCheckOptions } from '../../../api/link-probe/create-address-check.ts'
import { isUnreached, type Observation } from '../../../api/link-probe/observation.ts'
import type { RequestLimits } from '../../../api/link-probe/request-limiter.ts'
import { workspaceOf } from '../../../sync/state/workspace.ts'
import type { Progress } from '../../../sync/content-project.ts'
import { readProgramVersion } from '../../../core/version.ts'
import { type LinkMemory, openLinkMemory } from './link-memory.ts'
import { createIsIgnored, toWebAddress } from './web-address.ts'

/** How links to other sites are checked. */
export interface ExternalOptions extends AddressCheckOptions {
  readonly limits?: Partial<RequestLimits> | undefined
  /** Pauses; by default those of a clock. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
}

interface ExternalTask extends ExternalOptions {
  readonly settings: Pick<Settings, 'root' | 'ignoredLinks'>
  readonly links: readonly FoundLink[]
  /** Whether nothing may be written below .kb. */
  readonly leavesNoTrace: boolean
  readonly now: () => Date
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

/** A check of links to other sites in numbers; an address counts once, however many links lead to it. */
export interface ExternalSummary {
  readonly addresses: number
  /** Asked now; of the others it was known from an earlier run. */
  readonly asked: number
  readonly broken: number
  /** Nothing can be said: the host is busy, wants a sign-in, or is a private one, or there is no network. */
  readonly unknown: number
  /** Set if no host could be reached. */
  readonly isOffline?: true
  /** Left alone as the configuration says, or because they are examples. */
  readonly ignored: number
}

/** Faster than a server that goes on forever, and still polite. */
const LIMITS: RequestLimits = { concurrency: 16, perHost: 2, hostPauseMs: 250 }

/**
 * Asks every address of `links` that was not asked lately, and says which links are broken.
 *
 * @throws KbError INTERRUPTED; what was seen is remembered
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
  if (open.length > 0) await ask(open, seen, memory, task, nowMs)
  const isOffline = markOffline(open, seen)
  const observations = [...seen.values()]
  return {
    summary: {
      addresses: asked.length + invalid,
      asked: open.length,
      broken: observations.filter(({ kind }) => kind === 'broken').length + invalid,
      unknown: observations.filter(({ kind }) => kind === 'busy' || kind === 'closed').length,
      ignored,
      ...(isOffline && { isOffline }),
    },
    /** By address, see `toWebAddress`; those of earlier runs included. */
    seen,
    problems: problemsOf(task.links, seen),
  }
}

function memoryFile({
  settings,
  leavesNoTrace,
  allowPrivateAddresses = false,
}: ExternalTask): string | undefined {
  return leavesNoTrace ? undefined : linkMemoryFile(settings.root, allowPrivateAddresses)
}

/** Where a check of links to other sites remembers what it saw. */
export function linkMemoryFile(root: string, allowPrivateAddresses: boolean): string {
  const name = allowPrivateAddresses ? 'all-external-links.json' : 'external-links.json'
  return join(workspaceOf(root).folder, 'cache', name)
}

/** Each address once, in the order of the links; those of no valid form are broken without being asked. */
function sortAddresses({ links, settings }: ExternalTask) {
  const isIgnored = createIsIgnored(settings.ignoredLinks)
  const urls = [...new Set(links.map(({ link }) => link.url))]
  const addresses = new Set(urls.flatMap((url) => toWebAddress(url) ?? []))
  const asked = [...addresses].filter((address) => !isIgnored(address))
  const invalid = urls.filter((url) => toWebAddress(url) === undefined).length
  return { asked, ignored: addresses.size - asked.length, invalid }
}

async function ask(
  addresses: readonly string[],
  seen: Map<string, Observation>,
  memory: LinkMemory,
  task: ExternalTask,
  nowMs: () => number,
): Promise<void> {
  // Loaded here: a check without this has no use for an HTTP client.
  const [{ createAddressCheck }, { createWaiting }] = await Promise.all([
    import('../../../api/link-probe/create-address-check.ts'),
    import('../../../api/link-probe/waiting.ts'),
  ])
  const stopper = new AbortController()
  const stop = () => stopper.abort()
  task.signal?.addEventListener('abort', stop)
  if (task.signal?.aborted === true) stop()
  const sleep = task.sleep ?? createWaiting(stopper.signal, true).sleep
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
  try {
    await askAddresses(addresses, { check: checking.check, sleep, onSeen })
  } catch (error) {
    if (task.signal?.aborted !== true) throw error
    throw interrupted(seen.size - already, addresses.length)
  } finally {
    task.signal?.removeEventListener('abort', stop)
    stop()
    await checking.close()
    if (markOffline(addresses, seen)) for (const address of addresses) memory.forget(address)
    await memory.save()
  }
}

/** A few new links may all have a typo in their host. If more hosts cannot be reached, and no other can, it is the network. */
const FEWEST_HOSTS = 3

/** If none of the hosts could be reached, nothing is known of their links. */
function markOffline(asked: readonly string[], seen: Map<string, Observation>): boolean {
  const found = asked.flatMap((address) => seen.get(address) ?? [])
  const isOutage = found.length > 0 && found.every(isUnreached)
  const isCertain = found.every(({ kind }) => kind !== 'broken')
  const hosts = new Set(asked.map((address) => parseUrl(address)?.hostname))
  if (!isOutage || (!isCertain && hosts.size < FEWEST_HOSTS)) return false
  for (const address of asked) {
    const observation = seen.get(address)
    if (observation?.kind === 'broken')
      seen.set(address, { kind: 'closed', status: null, reason: observation.reason })
  }
  return true
}

function problemsOf(
  links: readonly FoundLink[],
  seen: ReadonlyMap<string, Observation>,
): readonly SourceProblem[] {
  const problems = new Map<string, SourceProblem>()
  for (const { source, link } of links) {
    const { url, ...place } = link
    const address = toWebAddress(url)
    const observation = address === undefined ? undefined : seen.get(address)
    const reason = address === undefined ? 'the URL is not valid' : brokenReason(observation)
    if (reason === undefined) continue
    const problem = {
      code: 'link-external-broken',
      message: `${url} does not work: ${reason}.`,
      hint: 'Correct the URL. To exclude it from the check, add it to links.ignore in kb.config.ts.',
      ...place,
    } as const
    // A file that several articles include is one place all the same.
    problems.set(`${place.source ?? source}:${place.line}:${place.column}:${url}`, { source, problem })
  }
  return [...problems.values()]
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
  /** Told of every answer; of an address that is asked again, the last one counts. */
  readonly onSeen: (address: string, observation: Observation) => void
}

/** Pause before an address that failed is asked a second time: one failure may be a passing trouble. */
const SECOND_LOOK_MS = 3000

/** Hosts that ask for a longer rest than this are not waited for. */
const PATIENCE_MS = 60_000

const MOST_ROUNDS = 3

/**
 * Asks every address, and again after a pause where the answer may have been a passing one: once where the server or
 * the way to it failed, a few times where a host asked us to come back within a minute.
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
