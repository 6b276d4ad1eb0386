import { expect } from 'vitest'
import { EXTENSIONS_HEADER } from '../../src/api/contract/routes.ts'
import { REVIEW_DATES } from '../support/service-fields.ts'
import { answerAsModel, type Learned, type Operation, type Request } from '../support/service-model.ts'
import { createAnswerComparison } from './compare-answer.ts'
import { type ArticleWords, LANGUAGES, PIECES, type Step, type TaxonWords, type Which } from './steps.ts'
import type { World } from './world.ts'

interface Place {
  readonly method: string
  /** With `{id}` where an identifier stands. */
  readonly path: string
}

const PLACES: Readonly<Record<Operation, Place>> = {
  readArticle: { method: 'GET', path: '/api/v2/articles/{id}' },
  createArticle: { method: 'PUT', path: '/api/v2/articles' },
  updateArticle: { method: 'POST', path: '/api/v2/articles/{id}' },
  deleteArticle: { method: 'DELETE', path: '/api/v2/articles/{id}' },
  listCategories: { method: 'GET', path: '/api/v2/categories' },
  updateCategory: { method: 'POST', path: '/api/v2/categories/{id}' },
  listReviewDates: { method: 'GET', path: '/api/v2/tools/review_dates' },
  listLinks: { method: 'GET', path: '/api/v2/tools/link_manager' },
  readTag: { method: 'GET', path: '/api/v2/tags/{id}' },
  updateTag: { method: 'POST', path: '/api/v2/tags/{id}' },
  announceExtensions: { method: 'OPTIONS', path: '/api/v2/articles' },
}

const OPERATIONS: Readonly<Record<Step['does']['kind'], Operation>> = {
  create: 'createArticle',
  update: 'updateArticle',
  delete: 'deleteArticle',
  read: 'readArticle',
  'read-tag': 'readTag',
  'list-categories': 'listCategories',
  'list-review-dates': 'listReviewDates',
  'list-links': 'listLinks',
  options: 'announceExtensions',
  'update-category': 'updateCategory',
  'update-tag': 'updateTag',
}

/** What a list read after every write learns: the interface tells the ids of new articles nowhere else. */
const TELLING: readonly Operation[] = ['listReviewDates', 'listLinks']

const NOWHERE = [
  '01890000-0000-7000-8000-000000000000',
  'x',
  '%',
  "a/b?c#d' --",
  'ü🙂',
  '...',
  'null',
  '__proto__',
]

type Asked = Pick<Request, 'operation' | 'id' | 'lang' | 'body' | 'links' | 'reviewDate'>

/** Outcomes that the histories have met, as `operation status` and `operation speciality`, and how often. */
export type Met = Map<string, number>

/** Does every step to the service and to the model; after each, both must say the same. */
export async function runHistory(world: World, steps: readonly Step[], met: Met): Promise<void> {
  const places = await world.createPlaces()
  const { differences } = createAnswerComparison()
  const gone: string[] = []

  function pick(which: Which, site: 0 | 1, list: 'articles' | 'categories' | 'tags'): string {
    const other = site === 0 ? 1 : 0
    const known = (at: 0 | 1) => places[at].site[list].flatMap(({ id }) => id.value ?? [])
    const pools = { own: known(site), other: known(other), gone, nowhere: NOWHERE }
    const pool = pools[which.from].length > 0 ? pools[which.from] : NOWHERE
    return pool[which.index % pool.length] ?? ''
  }

  async function ask(at: 0 | 1, key: Step['key'], asked: Asked): Promise<void> {
    const { site, user, keys } = places[at]
    const now = new Date(world.clock.ms).toISOString()
    const caller = key === 'writer' || key === 'reader' ? key : 'stranger'
    const request: Request = { ...asked, site, user, caller, now }
    const token = key === 'unknown' || key === 'none' ? 'never-issued' : keys[key]
    const received = await send(world, request, key === 'none' ? undefined : token)
    const expected = answerAsModel(request)
    const { method, path } = PLACES[asked.operation]
    const problems = [
      ...differences(expected, received),
      ...world.validator.problemsOf({ method, path, requestBody: asked.body, ...received }),
      ...(received.status === 200 &&
      asked.operation === 'announceExtensions' &&
      received.extensions !==
        'update, languages, ids, batch, etag, files, paging, changed-since, redirects, sources, idempotency'
        ? [`the extensions are ${String(received.extensions)}`]
        : []),
      ...world.faults.map((fault) => `the server met ${String(fault)}`),
    ]
    expect({ problems, of: asked }).toEqual({ problems: [], of: asked })
    for (const outcome of outcomesOf(asked.operation, received)) met.set(outcome, (met.get(outcome) ?? 0) + 1)
    if (asked.operation === 'deleteArticle' && received.status === 200) gone.push(asked.id)
  }

  for (const { does, key, site, passedMs } of steps) {
    world.clock.ms += passedMs
    const operation = OPERATIONS[does.kind]
    const list =
      does.kind === 'update-category' ? 'categories' : does.kind.endsWith('tag') ? 'tags' : 'articles'
    const id = 'which' in does ? pick(does.which, site, list) : ''
    const lang = 'lang' in does ? does.lang : undefined
    const asked = { ...plain(operation), id, lang }
    if ('words' in does) {
      const body =
        does.kind === 'create' || does.kind === 'update'
          ? articleBody(does.words, (which, of) => pick(which, site, of))
          : taxonBody(does.words, does.kind, id, (which) => pick(which, site, 'categories'))
      await ask(site, key, { ...asked, ...spoiled(body, does) })
      for (const telling of TELLING) await ask(site, 'writer', plain(telling))
    } else {
      await ask(site, key, asked)
    }
  }
  for (const at of [0, 1] as const) await readAll(places[at].site, (asked) => ask(at, 'reader', asked))
}

/** What an answer shows to have been met: its status, and what is special about an article or tag. */
function outcomesOf(
  operation: Operation,
  { status, body }: { readonly status: number; readonly body: unknown },
) {
  const outcome = `${operation} ${String(status)}`
  if (operation !== 'readArticle' && operation !== 'readTag') return [outcome]
  const { newVersion, isDraft, data } = body as {
    newVersion?: boolean
    isDraft?: { id: string }
    data?: { language_parent: string | null; article_parent?: string }
  }
  return [
    outcome,
    ...(newVersion === true ? [`${operation} copy`] : []),
    ...(newVersion === false && typeof data?.language_parent === 'string'
      ? [`${operation} translation`]
      : []),
    ...(isDraft?.id ? [`${operation} with draft`] : []),
    ...(data?.article_parent ? [`${operation} draft`] : []),
  ]
}

/** Every answer that can be had, in every language. */
async function readAll(
  site: { readonly articles: readonly { id: Learned }[]; readonly tags: readonly { id: Learned }[] },
  ask: (asked: Asked) => Promise<void>,
): Promise<void> {
  for (const operation of ['listCategories', 'listReviewDates', 'listLinks'] as const)
    await ask(plain(operation))
  for (const lang of [undefined, ...LANGUAGES]) {
    for (const { id } of site.articles) {
      if (id.value !== undefined) await ask({ ...plain('readArticle'), id: id.value, lang })
    }
    for (const { id } of site.tags) {
      if (id.value !== undefined) await ask({ ...plain('readTag'), id: id.value, lang })
    }
  }
}

function plain(operation: Operation): Asked {
  return { operation, id: '', lang: undefined, body: undefined, links: [], reviewDate: '' }
}

type Pick1 = (which: Which, list: 'articles' | 'categories' | 'tags') => string

function articleBody(words: ArticleWords, pick: Pick1): Record<string, unknown> {
  const { pieces, categories, tags, languageParent, ...rest } = words
  return {
    ...rest,
    content: pieces.map((piece) => PIECES[piece]?.html).join('\n'),
    categories: categories.map((which) => ({ value: pick(which, 'categories') })),
    tags: tags?.map((which) => ({ value: pick(which, 'tags') })),
    languageParent: typeof languageParent === 'object' ? pick(languageParent, 'articles') : languageParent,
  }
}

function taxonBody(
  { parent, priority, ...rest }: TaxonWords,
  kind: 'update-category' | 'update-tag',
  id: string,
  pick: (which: Which) => string,
): Record<string, unknown> {
  if (kind === 'update-tag') return { ...rest, id }
  return { ...rest, priority, categoryParent: typeof parent === 'object' ? pick(parent) : parent }
}

/** The body as it is sent, with its links and its date. */
function spoiled(
  body: Readonly<Record<string, unknown>>,
  does: Extract<Step['does'], { words: unknown }>,
): Pick<Asked, 'body' | 'links' | 'reviewDate'> {
  const changed = { ...body, ...Object.fromEntries(does.spoils.map(({ field, value }) => [field, value])) }
  const sent = JSON.parse(JSON.stringify(changed)) as Record<string, unknown>
  const pieces = 'pieces' in does.words && sent['content'] === body['content'] ? does.words.pieces : []
  return {
    body: sent,
    links: [...new Set(pieces.flatMap((piece) => PIECES[piece]?.links ?? []))],
    reviewDate: REVIEW_DATES.get(String(sent['articleReviewDate'])) ?? '',
  }
}

async function send(world: World, request: Request, key: string | undefined) {
  const { method, path } = PLACES[request.operation]
  const query = request.lang === undefined ? '' : `?lang=${encodeURIComponent(request.lang)}`
  const response = await world.request(path.replace('{id}', () => encodeURIComponent(request.id)) + query, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    extensions: response.headers.get(EXTENSIONS_HEADER),
    body: await response.json(),
  }
}
