import type { WriteOutcome } from '../../../api/client/write-outcome.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { failure, type Finding, ok, warning } from '../finding.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { PROBE_TITLE, probeBody, type ProbeWish } from './probe-article.ts'
import { createProbeFinder, type FoundProbe, type ProbeContext, type ProbeFinder } from './probe-finder.ts'

/** An article that was sent or may have been sent. */
interface Sent {
  readonly token: string
  readonly slug: string
  readonly isCertain: boolean
  id: string | undefined
}

const MOST_TRIES = 3
const PAUSE_MS = 300

/** Creates articles, and records which of them must be removed. */
export class ProbeSession {
  readonly #context: ProbeContext
  readonly #finder: ProbeFinder
  readonly #sent = new Map<string, Sent>()
  readonly #cleared = new Set<string>()

  constructor(context: ProbeContext) {
    this.#context = context
    this.#finder = createProbeFinder(context)
  }

  /** @throws KbError INTERRUPTED if the run was stopped */
  assertGoing(): void {
    const { signal } = this.#context
    if (signal?.aborted !== true) return
    throw new KbError('INTERRUPTED', 'The probe was stopped before it was complete.', {
      hint: 'Run kb doctor --probe again.',
      cause: signal.reason,
    })
  }

  async create(wish: ProbeWish): Promise<WriteOutcome> {
    this.assertGoing()
    const entry = { token: wish.token, slug: wish.slug, id: undefined }
    this.#sent.set(wish.token, { ...entry, isCertain: false })
    const outcome = await this.#context.client.createArticle(probeBody(wish)).catch((error: unknown) => {
      // Thrown only if it was certainly not created.
      this.#sent.delete(wish.token)
      throw error
    })
    if (outcome.kind === 'refused') this.#sent.delete(wish.token)
    if (outcome.kind === 'done') this.#sent.set(wish.token, { ...entry, isCertain: true })
    return outcome
  }

  /** Returns the article with this token as soon as the target lists it. */
  async waitFor(token: string, assert = () => this.assertGoing()): Promise<FoundProbe | undefined> {
    const probe = await this.#finder.waitFor(token, assert)
    const entry = this.#sent.get(token)
    if (entry !== undefined && probe !== undefined) entry.id = probe.id
    return probe
  }

  /** Removes an article; returns undefined if it is gone, otherwise the reason why it is not. */
  async #removeById(id: string): Promise<string | undefined> {
    let reason = 'it is still there'
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      if (tries > 1) await this.#context.sleep(PAUSE_MS)
      try {
        const outcome = await this.#context.client.deleteArticle(id)
        if (outcome.kind !== 'done') reason = outcome.kind === 'lost' ? outcome.reason : outcome.message
        if ((await this.#context.client.readArticle(id)) === undefined) return undefined
      } catch (error) {
        if (!(error instanceof KbError)) throw error
        reason = error.message
      }
    }
    return reason
  }

  /** Removes the articles of earlier probes. */
  async clear(): Promise<Finding> {
    const leftovers = await this.#finder.findLeftovers()
    const left: string[] = []
    for (const { id } of leftovers) {
      this.#cleared.add(id)
      const reason = await this.#removeById(id)
      if (reason !== undefined) left.push(`${id} (${reason})`)
    }
    if (leftovers.length === 0) return ok('probe.leftovers', 'no articles of an earlier probe are left')
    if (left.length === 0)
      return ok('probe.leftovers', `${pluralize(leftovers.length, 'article')} of an earlier probe removed`)
    return failure('probe.leftovers', stays(left.join(', ')), BY_HAND)
  }

  /** Removes an article before the end of the probe; returns undefined if it is gone. */
  async removeNow(token: string): Promise<Finding | undefined> {
    const entry = this.#sent.get(token)
    return entry && this.#removeSent(entry)
  }

  async #removeSent(entry: Sent): Promise<Finding | undefined> {
    try {
      entry.id ??= (await this.waitFor(entry.token, () => undefined))?.id
    } catch (error) {
      return failure('probe.removed', stays(`with the slug ${entry.slug}: ${reasonOf(error)}`), BY_HAND)
    }
    if (entry.id === undefined) return notListed(entry)
    const reason = await this.#removeById(entry.id)
    if (reason === undefined) return undefined
    return failure('probe.removed', stays(`${entry.id}, with the slug ${entry.slug}: ${reason}`), BY_HAND)
  }

  /** Removes articles of an earlier probe that an outdated list shows only now. */
  async #removeStrays(): Promise<readonly Finding[]> {
    const strays = this.#finder
      .found()
      .filter(({ id, token }) => !this.#cleared.has(id) && !this.#sent.has(token))
    const reasons = await Promise.all(strays.map(({ id }) => this.#removeById(id)))
    return strays.flatMap(({ id }, index) => {
      const reason = reasons[index]
      return reason === undefined ? [] : [failure('probe.leftovers', stays(`${id} (${reason})`), BY_HAND)]
    })
  }

  /** Removes all created articles. Throws only errors that are bugs. */
  async remove(): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const strays = await this.#removeStrays()
    // Removes translations before their originals.
    for (const entry of [...this.#sent.values()].toReversed()) {
      const finding = await this.#removeSent(entry)
      if (finding !== undefined) findings.push(finding)
    }
    if (findings.length > 0) return [...strays, ...findings]
    return [
      ...strays,
      this.#sent.size === 0
        ? ok('probe.removed', 'nothing was created')
        : ok('probe.removed', `${pluralize(this.#sent.size, 'article')} created, and removed again`),
    ]
  }
}

const BY_HAND =
  'Run kb doctor --probe again, which also tries to remove it, or delete it in the web interface of the service, if it has one.'

function stays(which: string): string {
  return `A hidden draft "${PROBE_TITLE}" could not be removed from the target: ${which.replace(/\.$/, '')}.`
}

function notListed({ slug, isCertain }: Sent): Finding {
  const message = `The target does not list it, so it could not be removed: a hidden draft "${PROBE_TITLE}" with the slug ${slug}.`
  return isCertain
    ? failure('probe.removed', message, BY_HAND)
    : warning('probe.removed', `${message} It may not exist: the response was lost.`, BY_HAND)
}
