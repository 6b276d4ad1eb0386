import type { ApiClient } from '../../../api/client/create-client.ts'
import type { RemoteTargetSettings, Settings } from '../../../core/config/settings.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import type { TargetState } from '../../../core/model/target-state.ts'
import { checkAnswer } from './check-answer.ts'
import { checkClock } from './check-clock.ts'
import { checkComments } from './check-comments.ts'
import type { CheckedFiles } from './check-files.ts'
import { checkKnown } from './check-known.ts'
import { checkLanguages } from './check-languages.ts'
import { checkLimit } from './check-limit.ts'
import { checkProxy } from './check-proxy.ts'
import { checkSlugs } from './check-slugs.ts'
import { checkTaxonomy } from './check-taxonomy.ts'
import { checkUpdate } from './check-update.ts'
import type { CheckName } from '../checks.ts'
import type { DoctorOptions } from '../doctor-options.ts'
import { failureOf, type Finding, skipped, unknown } from '../finding.ts'
import type { Looked } from '../looked.ts'

interface RemoteCheck {
  readonly options: DoctorOptions
  readonly settings: Settings
  readonly target: RemoteTargetSettings
  readonly state: TargetState
  readonly content: CheckedFiles['content']
}

/** A doctor does not wait for long where a sync would: one repetition tells a passing fault from a lasting one. */
const RETRIES = 1

/** Asks the target, changing nothing there. */
export async function checkRemote(check: RemoteCheck): Promise<Looked> {
  const { options, settings, target } = check
  const proxy = checkProxy(target, options.env)
  const impatient = {
    ...settings,
    sync: { ...settings.sync, retries: Math.min(RETRIES, settings.sync.retries) },
  }
  try {
    const connect = options.connect(target, impatient)
    const session = await connect({ readOnly: true, signal: options.signal })
    try {
      const { findings, obstacle } = await ask(check, session.client)
      return { findings: [proxy, ...findings], requests: session.client.countRequests(), obstacle }
    } finally {
      await session.close()
    }
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    // The address of the proxy is none: said above.
    const answer = proxy.status === 'error' ? [] : [failureOf('connection.answer', error)]
    return { findings: [proxy, ...answer, ...notAsked()], requests: {}, obstacle: NO_ANSWER }
  }
}

const NO_ANSWER = 'the target could not be asked'

const NEED_AN_ANSWER: readonly CheckName[] = [
  'connection.write',
  'connection.clock',
  'target.known',
  'target.limit',
  'target.update',
  'target.languages',
  'target.comments',
  'target.slugs',
  'target.categories',
  'target.tags',
]

function notAsked(): Finding[] {
  return NEED_AN_ANSWER.map((check) => skipped(check, NO_ANSWER))
}

async function ask(
  { options, settings, target, state, content }: RemoteCheck,
  client: ApiClient,
): Promise<Pick<Looked, 'findings' | 'obstacle'>> {
  const { finding, lists } = await checkAnswer(client, target, settings, options.now)
  if (lists === undefined) return { findings: [finding, ...notAsked()], obstacle: NO_ANSWER }
  const clock = checkClock(client)
  const extensions = await client.fetchExtensions()
  const facts = { client, target, settings, lists, extensions, state, content }
  return {
    findings: [
      finding,
      unknown(
        'connection.write',
        'whether the key may write cannot be seen without writing',
        'kb doctor --probe tries it with a hidden draft that it removes again.',
      ),
      clock,
      checkKnown(facts),
      checkLimit(facts),
      checkUpdate(facts),
      checkLanguages({ ...facts, enabled: lists.languages }),
      await checkComments(facts),
      checkSlugs(facts),
      ...checkTaxonomy(facts),
    ],
    obstacle: undefined,
  }
}
