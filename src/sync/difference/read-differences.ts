import pLimit from 'p-limit'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { ArticleDifference } from '../../core/model/article-difference.ts'
import { removeMarkers } from '../../core/model/marker.ts'
import { type Effect, type OperationResult, effectOf } from '../../core/model/plan.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { type TaxonomyNames, diffArticle } from '../plan/difference/diff-article.ts'
import { type ResolvedArticle, fieldsToSend, reviewDateToSend } from '../plan/resolved-article.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import type { PlannedRun } from '../plan-run/planned-run.ts'
import { toRemoteArticle } from '../remote/to-remote.ts'

interface DifferenceContext {
  readonly client: ApiClient
  readonly content: Pick<LoadedContent, 'readHtml' | 'taxonomy'>
  readonly planned: PlannedRun
  readonly settings: Pick<Settings, 'defaultLanguage' | 'render'>
  /** Calendar date in UTC. */
  readonly today: string
  readonly concurrency: number
}

/**
 * Adds the differences between target and file to each update, replace and conflict. Planning does not keep the HTML of
 * articles, so only these articles are read again. Throws what the client throws.
 */
export async function readDifferences(
  operations: readonly OperationResult[],
  context: DifferenceContext,
): Promise<OperationResult[]> {
  if (!operations.some(hasTwoSides)) return [...operations]
  const { htmlToMarkdown } = await import('../../content/from-html/html-to-markdown.ts')
  const { allow } = context.settings.render
  const reading: Reading = {
    ...context,
    entries: new Map(context.planned.entries.map((entry) => [entry.id, entry])),
    toMarkdown: (html) => htmlToMarkdown(collapseHtmlSpace(html), { allow }),
  }
  const limit = pLimit(context.concurrency)
  return Promise.all(
    operations.map(async (operation) => {
      if (!hasTwoSides(operation)) return operation
      const diff = await limit(() => readDifference(operation, reading))
      return diff === undefined ? operation : { ...operation, diff }
    }),
  )
}

const COMPARED: ReadonlySet<Effect> = new Set(['update', 'replace', 'conflict'])

type TwoSided = OperationResult & { readonly source: string; readonly id: string }

function hasTwoSides(operation: OperationResult): operation is TwoSided {
  const { kind, source, id } = operation
  return kind === 'article' && COMPARED.has(effectOf(operation)) && source !== undefined && id !== undefined
}

interface Reading extends DifferenceContext {
  /** By id. */
  readonly entries: ReadonlyMap<string, RemoteEntry>
  readonly toMarkdown: (html: string) => string
}

/** Undefined if one of the two versions does not exist. */
async function readDifference(
  { source, id }: TwoSided,
  { client, content, planned, settings, today, entries, toMarkdown }: Reading,
): Promise<ArticleDifference | undefined> {
  const entry = entries.get(id)
  const wanted = planned.wanted.get(source)
  const read = wanted === undefined ? undefined : await client.readArticle(id)
  if (wanted === undefined || read === undefined) return undefined
  const remote = toRemoteArticle(read, settings.defaultLanguage)
  const { article } = wanted
  const markdown = {
    target: toMarkdown(removeMarkers(read.data.content ?? '')),
    file: toMarkdown(content.readHtml(article)),
  }
  const fields = fieldsToSend(wanted, reviewDateToSend(article, entry, today))
  const names = nameTaxonomy(wanted, remote, { planned, content })
  return diffArticle({ wanted, fields, remote, ours: entry?.ours, markdown }, names)
}

/** Returns names for the ids in two versions of an article. An id without a unique name is shown as it is. */
function nameTaxonomy(
  { article, categoryIds, tagIds }: ResolvedArticle,
  remote: RemoteArticle,
  { planned, content: { taxonomy } }: Pick<DifferenceContext, 'planned' | 'content'>,
): TaxonomyNames {
  const categories = namesOf(planned.remote.categories, [categoryIds, article.categories])
  const known = (taxonomy.tags ?? []).flatMap(({ name, slug = name }) => {
    const id = planned.tagIds[slug] ?? planned.tagIds[name]
    return id === undefined ? [] : [{ id, name }]
  })
  const tags = namesOf([...known, ...remote.tags.filter(({ name }) => name !== '')], [tagIds, article.tags])
  return { category: (id) => categories.get(id) ?? id, tag: (id) => tags.get(id) ?? id }
}

/** The second parameter pairs ids with references in the file, which name the items that are not in `named`. */
function namesOf(
  named: readonly { readonly id: string; readonly name: string }[],
  [ids, references]: readonly [ids: readonly string[], references: readonly string[]],
): ReadonlyMap<string, string> {
  const idsOfName = new Map<string, Set<string>>()
  for (const { id, name } of named) idsOfName.set(name, (idsOfName.get(name) ?? new Set()).add(id))
  const isAmbiguous = (name: string) => (idsOfName.get(name)?.size ?? 0) > 1
  // If two references may mean one id, neither is used.
  const fromFile =
    ids.length === references.length ? ids.map((id, index) => [id, references[index] ?? id]) : []
  return new Map([
    ...(fromFile as [string, string][]),
    ...named.map(({ id, name }) => [id, isAmbiguous(name) ? `${name} (${id})` : name] as const),
  ])
}

const OPENING = /<pre[\s>]/gi
const CLOSING = /<\/pre\s*>/gi

/** Normalises invisible white space in HTML, because a service may break lines in other places. */
export function collapseHtmlSpace(html: string): string {
  let collapsed = ''
  for (let at = 0; at < html.length;) {
    const from = indexOfMatch(OPENING, html, at).start
    const { end } = indexOfMatch(CLOSING, html, from)
    collapsed += html.slice(at, from).replace(/[ \t\r\n\f]+/g, ' ') + html.slice(from, end)
    at = end
  }
  return collapsed
}

/** The next match of `pattern`; the end of the text if there is none. */
function indexOfMatch(pattern: RegExp, text: string, at: number): { start: number; end: number } {
  const search = new RegExp(pattern)
  search.lastIndex = at
  const match = search.exec(text)
  return match === null
    ? { start: text.length, end: text.length }
    : { start: match.index, end: search.lastIndex }
}
