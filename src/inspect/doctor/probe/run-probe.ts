import { readCapabilities } from '../../../sync/plan/target-capabilities.ts'
import {
  failure,
  failureOf,
  type Finding,
  ok,
  skipped,
  slugsStayTaken,
  spelledDuration,
  unknown,
  warning,
} from '../finding.ts'
import {
  ASTRAL_EXCERPT,
  compareProbe,
  PLAIN_EXCERPT,
  probeBody,
  probeSlug,
  type ProbeWish,
} from './probe-article.ts'
import { ProbeSession } from './probe-session.ts'
import type { FoundProbe, ProbeContext } from './probe-finder.ts'

/**
 * Tests the target with hidden drafts, and always removes them. Writes only to the target.
 */
export async function runProbe(context: ProbeContext): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const session = new ProbeSession(context)
  let thrown: { readonly error: unknown } | undefined
  try {
    await tryAll({ context, session, findings })
  } catch (error) {
    thrown = { error }
  }
  const removed = await session.remove()
  if (thrown !== undefined) findings.push(failureOf('probe.run', thrown.error))
  return [...findings, ...removed]
}

interface ProbeTrial {
  readonly context: ProbeContext
  readonly session: ProbeSession
  /** Each step adds its own. */
  readonly findings: Finding[]
}

async function tryAll(trial: ProbeTrial): Promise<void> {
  const { context, session, findings } = trial
  const { client } = context
  session.assertGoing()
  const [{ data: categories, languages }, extensions = []] = await Promise.all([
    client.listCategories(),
    client.fetchExtensions(),
  ])
  findings.push(await session.clear())
  const [category] = categories
  if (category === undefined) {
    findings.push(skipped('probe.create', 'the target has no category for the article', 'Create one first.'))
    return
  }
  const first = await tryCreate(trial, category.id)
  if (first === undefined) return
  const facts = { ...trial, extensions, languages, first }
  findings.push(await tryUpdate(facts))
  findings.push(await tryLanguages(facts))
  // Last, because it may remove the first article.
  findings.push(await trySlugs(facts))
}

async function tryCreate(trial: ProbeTrial, categoryId: string): Promise<FirstProbe | undefined> {
  const { context, session, findings } = trial
  const created = await createFirst(trial, categoryId)
  if (created === undefined) return undefined
  const { wish, sentMs } = created
  const probe = await session.waitFor(wish.token)
  if (probe === undefined) {
    findings.push(
      warning(
        'probe.listed',
        'The new article is still in none of the lists, long after it was sent.',
        'A sync could not recognise the articles that it creates. Ask the operator of the target.',
      ),
    )
    return undefined
  }
  findings.push(judgeListed(context.now().getTime() - sentMs, context.settleMs))
  const compared = compareProbe(probeBody(wish), probe.article, context.defaultLanguage)
  findings.push(...compared.filter(({ check }) => findings.every((earlier) => earlier.check !== check)))
  return { wish, probe }
}

/** If a target does not count characters, it rejects the first excerpt. Then a shorter one is sent. */
async function createFirst(
  { context: { randomToken, now }, session, findings }: ProbeTrial,
  categoryId: string,
): Promise<{ readonly wish: ProbeWish; readonly sentMs: number } | undefined> {
  for (const excerpt of [ASTRAL_EXCERPT, PLAIN_EXCERPT]) {
    const token = randomToken()
    const wish = { token, slug: probeSlug(token), categoryId, excerpt }
    const outcome = await session.create(wish)
    const sentMs = now().getTime()
    if (outcome.kind === 'done') {
      findings.push(ok('probe.create', 'the key may create articles'))
      if (excerpt === PLAIN_EXCERPT) findings.push(excerptRefused())
      return { wish, sentMs }
    }
    if (outcome.kind === 'lost') {
      findings.push(
        warning(
          'probe.create',
          `The response to a create request was lost: ${outcome.reason}.`,
          'Run it again later.',
        ),
      )
      return { wish, sentMs }
    }
    if (excerpt === PLAIN_EXCERPT || isFinal(outcome.status)) {
      findings.push(createRefused(outcome))
      return undefined
    }
  }
  return undefined
}

/** True for error responses that do not depend on the request's content. */
function isFinal(status: number): boolean {
  return [401, 403, 404, 405, 429, 503].includes(status)
}

function createRefused({ status, message }: { readonly status: number; readonly message: string }): Finding {
  return failure(
    'probe.create',
    `The target refused to create an article (${status}): ${message}`,
    status === 401 || status === 403
      ? 'The key may only read, or the article limit is reached: ask for a key that may write.'
      : 'The message of the target says why. A sync would fail as well.',
  )
}

function excerptRefused(): Finding {
  return warning(
    'probe.excerpt',
    'The target refuses an excerpt of 160 emoji.',
    'Shorten excerpts with emoji, or remove the emoji.',
  )
}

function judgeListed(ms: number, settleMs: number): Finding {
  const message = `a new article is listed after ${spelledDuration(ms)}`
  if (ms <= settleMs) return ok('probe.listed', `${message}; sync.settle is ${spelledDuration(settleMs)}`)
  return warning(
    'probe.listed',
    `It took ${spelledDuration(ms)} until a new article was listed; sync.settle is ${spelledDuration(settleMs)}.`,
    `Set sync.settle to '${Math.ceil((ms * 2) / 1000)}s'.`,
  )
}

/** Creates a second article with the slug of the first, and one after the first is removed if that will matter. */
async function trySlugs(facts: ProbeFacts): Promise<Finding> {
  const { finding, isUnique = false } = await trySecond(facts)
  if (!isUnique || readCapabilities(facts.extensions).updateInPlace) return finding
  return (await isFreed(facts)) === false ? slugsStayTaken('probe.slugs') : finding
}

/** True if an article can have the slug of a removed one; undefined if that could not be tried. */
async function isFreed({ context, session, first }: ProbeFacts): Promise<boolean | undefined> {
  if ((await session.removeNow(first.wish.token)) !== undefined) return undefined
  const token = context.randomToken()
  const outcome = await session.create({ ...first.wish, token })
  if (outcome.kind === 'refused') return isFinal(outcome.status) ? undefined : false
  const again = await session.waitFor(token)
  return again && again.article.data.slug === first.probe.article.data.slug
}

async function trySecond({ context, session, extensions, first }: ProbeFacts) {
  const { slug } = first.wish
  const token = context.randomToken()
  const outcome = await session.create({ ...first.wish, token })
  if (outcome.kind === 'refused') {
    const consequence = readCapabilities(extensions).updateInPlace
      ? 'that matters little if articles are updated in place'
      : 'an article that is replaced is missing for a moment'
    const finding = ok(
      'probe.slugs',
      `a second article with the same slug is refused (${outcome.status}): ${consequence}`,
    )
    return { finding, isUnique: !isFinal(outcome.status) }
  }
  const second = await session.waitFor(token)
  if (second === undefined) {
    const finding = unknown(
      'probe.slugs',
      'the result of a second article with the same slug could not be read',
    )
    return { finding }
  }
  const given = second.article.data.slug ?? ''
  if (given === slug) {
    const finding = ok(
      'probe.slugs',
      'two articles may have the same slug, so an article that is replaced is never missing',
    )
    return { finding }
  }
  const finding = warning(
    'probe.slugs',
    `A second article with the slug ${slug} was given the slug ${given}.`,
    'A sync detects that and deletes before it creates, so an article that is replaced is missing for a moment.',
  )
  return { finding, isUnique: true }
}

/** Creates a translation of the first article, if the target announces languages. */
async function tryLanguages(facts: ProbeFacts): Promise<Finding> {
  const { context, session, extensions, languages, first } = facts
  if (!readCapabilities(extensions).languages)
    return skipped('probe.languages', 'the target does not announce languages')
  const lang = languages.find((language) => language !== context.defaultLanguage)
  if (lang === undefined) return skipped('probe.languages', 'the target has one language only')
  const token = context.randomToken()
  const language = { lang, languageParent: first.probe.id }
  const outcome = await session.create({ ...first.wish, token, language })
  if (outcome.kind === 'refused') {
    return failure(
      'probe.languages',
      `The target announces languages, and refused a translation into ${lang} (${outcome.status}): ${outcome.message}`,
      'A sync would fail as well. Ask the operator of the target.',
    )
  }
  const translation = await session.waitFor(token)
  if (translation === undefined)
    return unknown('probe.languages', `the result of a translation into ${lang} could not be read`)
  const { data } = translation.article
  return data.language === lang && data.language_parent === first.probe.id
    ? ok('probe.languages', `a translation into ${lang} keeps its language and its original`)
    : failure(
        'probe.languages',
        `A translation into ${lang} came back in the language "${data.language ?? ''}" with the original "${data.language_parent ?? ''}".`,
        'A sync would send translations in every run. Ask the operator of the target.',
      )
}

const LINE = 'Second version.'
const ORDER = 7

/** Updates the first article, if the target announces updates. */
async function tryUpdate({ context, session, extensions, first }: ProbeFacts): Promise<Finding> {
  if (!readCapabilities(extensions).updateInPlace)
    return skipped('probe.update', 'the target does not announce updates in place')
  session.assertGoing()
  const { id } = first.probe
  const body = { ...probeBody({ ...first.wish, line: LINE }), ordering: ORDER }
  const outcome = await context.client.updateArticle(id, body)
  if (outcome.kind === 'lost')
    return unknown('probe.update', `the response to an update in place was lost: ${outcome.reason}`)
  if (outcome.kind === 'refused') {
    return failure(
      'probe.update',
      `The target announces updates in place, and refused one (${outcome.status}): ${outcome.message}`,
      'A sync would fail as well. Ask the operator of the target.',
    )
  }
  const read = await context.client.readArticle(id)
  const isChanged = read?.data.content?.includes(LINE) === true && read.data.order_by === ORDER
  return isChanged
    ? ok('probe.update', 'an update in place changes the article and keeps its id')
    : failure(
        'probe.update',
        'The target reported an update in place as successful, but the article is unchanged.',
        'A sync would send such articles in every run. Ask the operator of the target.',
      )
}

interface FirstProbe {
  readonly wish: ProbeWish
  readonly probe: FoundProbe
}

interface ProbeFacts extends ProbeTrial {
  readonly extensions: readonly string[]
  readonly languages: readonly string[]
  readonly first: FirstProbe
}
