import type { ApiClient } from '../../../api/client/create-client.ts'
import { type ProxyEnvironment, proxyFor } from '../../../api/client/dispatcher.ts'
import type { RemoteTargetSettings, Settings } from '../../../core/config/settings.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { readCapabilities } from '../../../sync/plan/target-capabilities.ts'
import { readRemoteLists } from '../../../sync/remote/list-articles.ts'
import type { RunDoctorOptions, TargetFacts } from '../doctor-options.ts'
import {
  failureOf,
  type Finding,
  ok,
  skipped,
  slugsStayTaken,
  spelledDuration,
  unknown,
  warning,
} from '../finding.ts'
import { checkComments } from './check-comments.ts'
import { checkLanguages, checkTaxonomy } from './check-fit.ts'
import type { CheckName } from '../checks.ts'
import type { TargetFindings } from '../doctor-report.ts'

interface RemoteCheck extends Pick<TargetFacts, 'settings' | 'target' | 'state' | 'content'> {
  readonly options: RunDoctorOptions
}

/** One retry is enough to distinguish a temporary error from a permanent one; a sync waits longer. */
const RETRIES = 1

/** Sends only read requests to the target. */
export async function checkRemote(check: RemoteCheck): Promise<TargetFindings> {
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
    // The URL of the proxy is invalid, which was already reported.
    const answer = proxy.status === 'error' ? [] : [failureOf('connection.answer', error)]
    return { findings: [proxy, ...answer, ...notAsked()], requests: {}, obstacle: NO_ANSWER }
  }
}

const NO_ANSWER = 'the target could not be reached'

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

async function ask({ options, settings, target, state, content }: RemoteCheck, client: ApiClient) {
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
        'only a write can show whether the key may write',
        'kb doctor --probe tests it with a hidden draft, which it then removes.',
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

function checkProxy({ url }: RemoteTargetSettings, env: ProxyEnvironment): Finding {
  try {
    const proxy = proxyFor(new URL(url).origin, env)
    if (proxy === undefined) return ok('connection.proxy', 'no proxy is in use')
    // Without user name and password.
    const { host } = new URL(proxy)
    return ok('connection.proxy', `requests go through the proxy ${host}, unless NO_PROXY names the host`)
  } catch (error) {
    return failureOf('connection.proxy', error)
  }
}

function checkKnown({ lists, state }: Pick<TargetFacts, 'lists' | 'state'>): Finding {
  const known = state.articles
  if (known.length === 0) return skipped('target.known', 'the state contains no article')
  const ids = new Set(lists.dated.map(({ id }) => id))
  const present = known.filter(({ id }) => ids.has(id)).length
  const message = `${present} of the ${known.length} articles in the state are listed`
  if (present * 2 >= known.length) return ok('target.known', message)
  return warning(
    'target.known',
    `Only ${message}: the others were deleted there, or this is a different knowledge base.`,
    'Check the URL and the key. kb plan shows what a sync would create again.',
  )
}

const TOLERATED_MS = 60_000

/** Compares the clocks. Review dates depend on the local one, and the detection of edits on that of the target. */
function checkClock(client: Pick<ApiClient, 'clockOffsetMs'>): Finding {
  const offsetMs = client.clockOffsetMs()
  if (offsetMs === undefined) return unknown('connection.clock', 'the target does not send its time')
  if (Math.abs(offsetMs) <= TOLERATED_MS) return ok('connection.clock', 'the clocks agree')
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  return warning(
    'connection.clock',
    `The target's clock is ${spelledDuration(Math.abs(offsetMs))} ${direction} the one here. Review dates and the detection of edits depend on both.`,
    'Correct the clock that is wrong, for example with a time service such as NTP.',
  )
}

function checkUpdate({ extensions }: Pick<TargetFacts, 'extensions'>): Finding {
  if (extensions === undefined) {
    return unknown(
      'target.update',
      'the target did not say whether articles can be updated in place',
      'Run kb doctor again.',
    )
  }
  return readCapabilities(extensions).updateInPlace
    ? ok('target.update', 'articles are updated in place and keep their ids')
    : ok(
        'target.update',
        'articles cannot be updated in place: each change replaces the article, which gets a new id',
      )
}

/** Checks duplicate slugs, which matter only if articles are replaced by new versions. */
function checkSlugs({ state, extensions }: Pick<TargetFacts, 'state' | 'extensions'>): Finding {
  if (extensions !== undefined && readCapabilities(extensions).updateInPlace)
    return ok('target.slugs', 'articles are updated in place, so none exists twice')
  if (state.freesSlugs === false) return slugsStayTaken('target.slugs')
  switch (state.duplicateSlugs) {
    case 'allowed':
      return ok(
        'target.slugs',
        'two articles may have the same slug, so an article that is replaced is never missing',
      )
    case 'refused':
      return ok(
        'target.slugs',
        'two articles cannot have the same slug, so an article that is replaced is missing for a moment',
      )
    case undefined:
      return unknown(
        'target.slugs',
        'whether two articles may have the same slug is not known yet',
        'The first replaced article shows it; kb doctor --probe tests it now.',
      )
  }
}

/** Part of the article limit from which on an account counts as nearly full. */
const NEARLY_FULL = 0.9

/** The lists contain only articles with a review date, so there may be more. */
function checkLimit({ lists, content }: Pick<TargetFacts, 'lists' | 'content'>): Finding {
  const { articleLimit: limit, dated } = lists
  const shown = pluralize(dated.length, 'article')
  if (limit === undefined) return unknown('target.limit', `${shown} listed; the target has no limit`)
  const files = content?.articles.length ?? 0
  if (files > limit) {
    return warning(
      'target.limit',
      `The files contain ${pluralize(files, 'article')}; the target accepts ${limit}.`,
      'Ask for a higher limit, or exclude articles with exclude.',
    )
  }
  const message = `${shown} of at most ${formatNumber(limit)} listed`
  if (dated.length < limit * NEARLY_FULL) return ok('target.limit', message)
  return warning(
    'target.limit',
    `The target is nearly full: ${message}, and an article that is replaced exists twice for a moment.`,
    'Ask for a higher limit, or delete articles (kb sync --prune deletes those without a file).',
  )
}

/** Response time from which on a sync is slow. */
const SLOW_MS = 3000

/** Requests the two lists that every sync needs. */
async function checkAnswer(
  client: ApiClient,
  target: RemoteTargetSettings,
  settings: Settings,
  now: () => Date,
) {
  const startedMs = now().getTime()
  try {
    const lists = await readRemoteLists(client, settings.defaultLanguage)
    const tookMs = now().getTime() - startedMs
    return { finding: judgeTime(tookMs, target, settings), lists }
  } catch (error) {
    return { finding: failureOf('connection.answer', error), lists: undefined }
  }
}

function judgeTime(tookMs: number, { url }: RemoteTargetSettings, { sync }: Settings): Finding {
  const message = `${url} accepts the key and sent both lists in ${tookMs} ms`
  if (tookMs < SLOW_MS) return ok('connection.answer', message)
  const hint =
    tookMs * 2 > sync.timeoutMs
      ? `Raise sync.timeout, which is ${sync.timeoutMs / 1000}s, or runs will time out.`
      : 'A sync will take long. If this persists, ask the operator of the target.'
  return warning('connection.answer', `${message}, which is slow.`, hint)
}
