import { failure, failureOf, type Finding, ok, skipped, warning } from '../finding.ts'
import { spelledDuration } from '../wording.ts'
import { compareProbe } from './compare-probe.ts'
import { ASTRAL_EXCERPT, PLAIN_EXCERPT, probeBody, probeSlug, type ProbeWish } from './probe-article.ts'
import { createProbeBench, type ProbeBench } from './probe-bench.ts'
import type { ProbeContext } from './probe-context.ts'
import type { FirstProbe } from './probe-facts.ts'
import { tryLanguages } from './try-languages.ts'
import { trySlugs } from './try-slugs.ts'
import { tryUpdate } from './try-update.ts'

/**
 * Tries what the target does, with hidden drafts that are removed again whatever happens in between. Writes to the
 * target and nowhere else.
 */
export async function runProbe(context: ProbeContext): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const bench = createProbeBench(context)
  let thrown: { readonly error: unknown } | undefined
  try {
    await tryAll(context, bench, findings)
  } catch (error) {
    thrown = { error }
  }
  const removed = await bench.remove()
  if (thrown !== undefined) findings.push(failureOf('probe.run', thrown.error))
  return [...findings, ...removed]
}

async function tryAll(context: ProbeContext, bench: ProbeBench, findings: Finding[]): Promise<void> {
  const { client } = context
  bench.assertGoing()
  const [{ data: categories, languages }, extensions = []] = await Promise.all([
    client.listCategories(),
    client.fetchExtensions(),
  ])
  findings.push(await bench.clear())
  const [category] = categories
  if (category === undefined) {
    findings.push(
      skipped('probe.create', 'the target has no category to create an article in', 'Create one first.'),
    )
    return
  }
  const first = await tryCreate(context, bench, category.id, findings)
  if (first === undefined) return
  const facts = { context, bench, extensions, languages, first }
  findings.push(await trySlugs(facts))
  findings.push(await tryUpdate(facts))
  findings.push(await tryLanguages(facts))
}

async function tryCreate(
  context: ProbeContext,
  bench: ProbeBench,
  categoryId: string,
  findings: Finding[],
): Promise<FirstProbe | undefined> {
  const created = await createFirst(context, bench, categoryId, findings)
  if (created === undefined) return undefined
  const { wish, sentMs } = created
  const probe = await bench.waitFor(wish.token)
  if (probe === undefined) {
    findings.push(
      warning(
        'probe.listed',
        'The new article is in none of the lists, long after it was sent.',
        'A sync could not recognise what it created; ask the operator of the target.',
      ),
    )
    return undefined
  }
  findings.push(judgeListed(context.now().getTime() - sentMs, context.settleMs))
  const compared = compareProbe(probeBody(wish), probe.article, context.defaultLanguage)
  findings.push(...compared.filter(({ check }) => findings.every((earlier) => earlier.check !== check)))
  return { wish, probe }
}

/** A target that counts other units than characters refuses the first excerpt; then a short one is sent. */
async function createFirst(
  { randomToken, now }: ProbeContext,
  bench: ProbeBench,
  categoryId: string,
  findings: Finding[],
): Promise<{ readonly wish: ProbeWish; readonly sentMs: number } | undefined> {
  for (const excerpt of [ASTRAL_EXCERPT, PLAIN_EXCERPT]) {
    const token = randomToken()
    const wish = { token, slug: probeSlug(token), categoryId, excerpt }
    const outcome = await bench.create(wish)
    const sentMs = now().getTime()
    if (outcome.kind === 'done') {
      findings.push(ok('probe.create', 'the key may create articles'))
      if (excerpt === PLAIN_EXCERPT) findings.push(excerptRefused())
      return { wish, sentMs }
    }
    if (outcome.kind === 'lost') {
      findings.push(
        warning('probe.create', `The answer to a create was lost: ${outcome.reason}.`, 'Run it again later.'),
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

/** Refusals that have nothing to do with what was sent. */
function isFinal(status: number): boolean {
  return [401, 403, 404, 405, 429, 503].includes(status)
}

function createRefused({ status, message }: { readonly status: number; readonly message: string }): Finding {
  return failure(
    'probe.create',
    `The target refused to create an article (${status}): ${message}`,
    status === 401 || status === 403
      ? 'The key may only read, or the article limit is reached: ask for a key that may write.'
      : 'Its own words say why; a sync would meet the same.',
  )
}

function excerptRefused(): Finding {
  return warning(
    'probe.excerpt',
    'The target refuses an excerpt of 160 characters where they are emoji.',
    'Keep excerpts with emoji shorter, or without them.',
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
