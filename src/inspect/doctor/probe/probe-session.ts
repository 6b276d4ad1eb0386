import type { WriteOutcome } from '../../../api/client/write-outcome.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { failure, type Finding, ok, warning } from '../finding.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { PROBE_TITLE, probeBody, type ProbeWish } from './probe-article.ts'
import { createProbeFinder, type FoundProbe, type ProbeContext } from './probe-finder.ts'

/** An article that was sent, or may have been. */
interface Sent {
  readonly token: string
  readonly slug: string
  readonly isCertain: boolean
  id: string | undefined
}

/** Makes articles and knows which of them must be removed again. */
export interface ProbeSession {
  /** Removes what earlier probes left behind. */
  readonly clear: () => Promise<Finding>
  readonly create: (wish: ProbeWish) => Promise<WriteOutcome>
  /** The article that was created with this token, once the target lists it. */
  readonly waitFor: (token: string) => Promise<FoundProbe | undefined>
  /** @throws KbError INTERRUPTED where the run was stopped */
  readonly assertGoing: () => void
  /** Removes everything that was made, whatever happened; throws nothing but bugs. */
  readonly remove: () => Promise<readonly Finding[]>
}

const MOST_TRIES = 3
const PAUSE_MS = 300

export function createProbeSession(context: ProbeContext): ProbeSession {
  const { client, sleep, signal } = context
  const finder = createProbeFinder(context)
  const sent = new Map<string, Sent>()
  const cleared = new Set<string>()

  function assertGoing(): void {
    if (signal?.aborted !== true) return
    throw new KbError('INTERRUPTED', 'The probe was stopped before it was through.', {
      hint: 'Run kb doctor --probe again.',
      cause: signal.reason,
    })
  }

  async function create(wish: ProbeWish): Promise<WriteOutcome> {
    assertGoing()
    const entry = { token: wish.token, slug: wish.slug, id: undefined }
    sent.set(wish.token, { ...entry, isCertain: false })
    const outcome = await client.createArticle(probeBody(wish)).catch((error: unknown) => {
      // Thrown only where it was certainly not sent.
      sent.delete(wish.token)
      throw error
    })
    if (outcome.kind === 'refused') sent.delete(wish.token)
    if (outcome.kind === 'done') sent.set(wish.token, { ...entry, isCertain: true })
    return outcome
  }

  async function waitFor(token: string, assert = assertGoing): Promise<FoundProbe | undefined> {
    const probe = await finder.waitFor(token, assert)
    const entry = sent.get(token)
    if (entry !== undefined && probe !== undefined) entry.id = probe.id
    return probe
  }

  /** Undefined where it is gone, else why it is not. */
  async function removeById(id: string): Promise<string | undefined> {
    let reason = 'it is still there'
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      if (tries > 1) await sleep(PAUSE_MS)
      try {
        const outcome = await client.deleteArticle(id)
        if (outcome.kind !== 'done') reason = outcome.kind === 'lost' ? outcome.reason : outcome.message
        if ((await client.readArticle(id)) === undefined) return undefined
      } catch (error) {
        if (!(error instanceof KbError)) throw error
        reason = error.message
      }
    }
    return reason
  }

  async function clear(): Promise<Finding> {
    const leftovers = await finder.findLeftovers()
    const left: string[] = []
    for (const { id } of leftovers) {
      cleared.add(id)
      const reason = await removeById(id)
      if (reason !== undefined) left.push(`${id} (${reason})`)
    }
    if (leftovers.length === 0) return ok('probe.leftovers', 'an earlier probe left nothing behind')
    if (left.length === 0) {
      return ok('probe.leftovers', `${pluralize(leftovers.length, 'article')} of an earlier probe removed`)
    }
    return failure('probe.leftovers', stays(left.join(', ')), BY_HAND)
  }

  async function removeSent(entry: Sent): Promise<Finding | undefined> {
    try {
      entry.id ??= (await waitFor(entry.token, () => undefined))?.id
    } catch (error) {
      return failure('probe.removed', stays(`with the slug ${entry.slug}: ${reasonOf(error)}`), BY_HAND)
    }
    if (entry.id === undefined) return notListed(entry)
    const reason = await removeById(entry.id)
    if (reason === undefined) return undefined
    return failure('probe.removed', stays(`${entry.id}, with the slug ${entry.slug}: ${reason}`), BY_HAND)
  }

  /** A list that lags shows what an earlier probe left behind only now. */
  async function removeStrays(): Promise<readonly Finding[]> {
    const strays = finder.found().filter(({ id, token }) => !cleared.has(id) && !sent.has(token))
    const reasons = await Promise.all(strays.map(({ id }) => removeById(id)))
    return strays.flatMap(({ id }, index) => {
      const reason = reasons[index]
      return reason === undefined ? [] : [failure('probe.leftovers', stays(`${id} (${reason})`), BY_HAND)]
    })
  }

  return {
    clear,
    create,
    waitFor: (token) => waitFor(token),
    assertGoing,
    remove: async () => {
      const findings: Finding[] = []
      const strays = await removeStrays()
      // Translations before their originals.
      for (const entry of [...sent.values()].toReversed()) {
        const finding = await removeSent(entry)
        if (finding !== undefined) findings.push(finding)
      }
      if (findings.length > 0) return [...strays, ...findings]
      return [
        ...strays,
        sent.size === 0
          ? ok('probe.removed', 'nothing was made')
          : ok('probe.removed', `${pluralize(sent.size, 'article')} made, and removed again`),
      ]
    },
  }
}

const BY_HAND =
  'Delete it in the web interface of the target, or run kb doctor --probe again, which tries it, too.'

function stays(which: string): string {
  return `A hidden draft "${PROBE_TITLE}" could not be removed from the target: ${which.replace(/\.$/, '')}.`
}

function notListed({ slug, isCertain }: Sent): Finding {
  const message = `The target does not list it, so it could not be removed: a hidden draft "${PROBE_TITLE}" with the slug ${slug}.`
  return isCertain
    ? failure('probe.removed', message, BY_HAND)
    : warning('probe.removed', `${message} Perhaps it was never made: its answer was lost.`, BY_HAND)
}
