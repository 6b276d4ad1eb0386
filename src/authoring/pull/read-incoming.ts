// What comes in from the target: edits of articles of this project, and articles that exist only there.
import type { ApiClient } from '../../api/client/create-client.ts'
import {
  type ResolvedArticle,
  fieldsToSend,
  resolveArticle,
  writtenReviewDate,
} from '../../sync/plan/resolved-article.ts'
import { type RemoteEntry, type Ownership, entryOfRemote, hasDrifted } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/plan-run/planned-run.ts'
import { toRemoteArticle } from '../../sync/remote/to-remote.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { ArticleFields, FieldName } from '../../core/model/article-fields.ts'
import type { Review, LocalArticle } from '../../core/model/document.ts'
import { type MergedFields, mergeFields } from '../../sync/plan/merge-fields.ts'
import { NEVER_DATE } from '../../core/calendar-date.ts'
import { join } from 'node:path'
import type { OnConflict } from '../../core/config/schema.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { readBytes } from '../../content/source/read-source.ts'
import { digest } from '../../core/digest.ts'
import {
  EDITED_ON_BOTH_SIDES,
  type PulledFile,
  type FileReports,
  type IncomingEdit,
  type IncomingArticle,
} from './pulled-files.ts'
import { readdirSync } from 'node:fs'
import type { Settings } from '../../core/config/settings.ts'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import { createFileNames } from '../../content/write-back/create-file-namer.ts'
import { slugKey } from '../../core/model/slug-key.ts'

/** A file to report. */
type FoundEdit =
  | {
      readonly kind: 'edited'
      readonly resolved: ResolvedArticle
      readonly remote: RemoteArticle
      readonly html: string
      readonly decision: Exclude<EditDecision, { kind: 'keep' | 'draft' }>
    }
  | { readonly kind: 'draft'; readonly resolved: ResolvedArticle; readonly entry: RemoteEntry }
  | { readonly kind: 'gone'; readonly resolved: ResolvedArticle; readonly entry: RemoteEntry }

/** Finds edited articles of this project. Each is read again with its HTML before the decision. */
export async function findEdits(
  { wanted, matches, remote: { goneIds } }: PlannedRun,
  client: ApiClient,
  defaultLanguage: string,
  isSelected: (source: string) => boolean,
): Promise<FoundEdit[]> {
  const selected = [...wanted.values()].filter(({ article }) => isSelected(article.source))
  const found = await Promise.all(
    selected.map(async (each): Promise<FoundEdit[]> => {
      const entry = matches.entryOf.get(each.article.source)
      if (entry === undefined) return []
      if (goneIds.has(entry.id)) return [{ kind: 'gone', resolved: each, entry }]
      if (entry.ours === undefined || entry.remote === undefined) return []
      const first = decideEdit(each, entry.ours, entry.remote)
      if (first.kind === 'keep') return []
      if (first.kind === 'draft') return [{ kind: 'draft', resolved: each, entry }]
      const read = await client.readArticle(entry.id)
      if (read === undefined) return [{ kind: 'gone', resolved: each, entry }]
      const remote = toRemoteArticle(read, defaultLanguage, entry.remote)
      const decision = decideEdit(each, entry.ours, remote)
      if (decision.kind === 'keep') return []
      if (decision.kind === 'draft') return [{ kind: 'draft', resolved: each, entry }]
      return [{ kind: 'edited', resolved: each, remote, html: read.data.content ?? '', decision }]
    }),
  )
  return found.flat()
}

/** The decision for a file whose article may have been edited on the target. */
export type EditDecision =
  | { readonly kind: 'keep' }
  /** `fields` and, with `text`, the text are taken from the target. */
  | { readonly kind: 'take'; readonly fields: readonly FieldName[]; readonly text: boolean }
  /** Both sides changed the same. `fields` and `text` would be overwritten in the file. */
  | { readonly kind: 'conflict'; readonly fields: readonly FieldName[]; readonly text: boolean }
  /** The article has an open draft on the target. */
  | { readonly kind: 'draft' }

/**
 * Makes a three-way decision for the text and for every field: what was sent last, what is in the file, what is on the
 * target. Only changes made on the target alone are taken.
 */
export function decideEdit(resolved: ResolvedArticle, ours: Ownership, remote: RemoteArticle): EditDecision {
  if (remote.draftId !== undefined) return { kind: 'draft' }
  if (!hasDrifted(ours, remote)) return { kind: 'keep' }
  const fields = mergeFields(ours.fieldsHash, comparableFields(resolved), remote.fields)
  const text = decideText(resolved, ours, remote, fields)
  const named = fields.kind === 'conflict' ? fields.disputed : fields.taken
  if (named.length === 0 && text === 'keep') return { kind: 'keep' }
  const isConflict = text === 'conflict' || (fields.kind === 'conflict' && named.length > 0)
  return { kind: isConflict ? 'conflict' : 'take', fields: named, text: text !== 'keep' }
}

/** Returns the fields that would be sent. Ignores a default review date. */
function comparableFields(resolved: ResolvedArticle): ArticleFields {
  const { review } = resolved.article
  return fieldsToSend(resolved, review.kind === 'default' ? '' : writtenReviewDate(review))
}

function decideText(
  resolved: ResolvedArticle,
  ours: Ownership,
  { projectionHash }: RemoteArticle,
  fields: MergedFields,
): 'keep' | 'take' | 'conflict' {
  const isTargetAsSent = projectionHash === ours.projectionHash
  if (isTargetAsSent || projectionHash === resolved.article.projectionHash) return 'keep'
  return isFileAsSent(resolved, ours, fields) ? 'take' : 'conflict'
}

/** Compares fingerprints, too: changes that a projection does not show, such as bold text, must not be lost. */
function isFileAsSent(resolved: ResolvedArticle, ours: Ownership, fields: MergedFields): boolean {
  const { article } = resolved
  if (article.projectionHash !== ours.projectionHash) return false
  if (article.sourceHash === ours.sourceHash || fields.kind === 'conflict') return true
  const { sent } = fields
  if (sent === undefined) return true
  return reviewsOf(sent, article.review).some(
    (review) => fingerprintAsSent(resolved, sent, review) === ours.fingerprint,
  )
}

function fingerprintAsSent(
  { article, translationOf }: ResolvedArticle,
  { categoryIds, tagIds, ...fields }: ArticleFields,
  review: Review,
): string {
  const status = fields.status === 'published' ? 'published' : 'draft'
  return resolveArticle({ ...article, ...fields, status, review }, categoryIds, tagIds, translationOf)
    .fingerprint
}

function reviewsOf({ reviewDate }: ArticleFields, review: Review): Review[] {
  if (reviewDate === '') return [{ kind: 'default', afterDays: 0 }]
  const isNever = reviewDate === NEVER_DATE
  return [
    { kind: 'date', date: reviewDate },
    ...(isNever ? [{ kind: 'never' } as const] : []),
    // Earlier versions included the date of a default in the fields.
    ...(review.kind === 'default' ? [review] : []),
  ]
}

interface SortOptions {
  readonly contentRoot: string
  readonly onConflict: OnConflict
  readonly includes: LoadedContent['includes']
}

/** Reads the files to change, and reports those that stay unchanged. */
export function partitionEdits(
  found: readonly FoundEdit[],
  reports: FileReports,
  { contentRoot, onConflict, includes }: SortOptions,
): { readonly incoming: readonly IncomingEdit[]; readonly left: readonly PulledFile[] } {
  const incoming: IncomingEdit[] = []
  const left: PulledFile[] = []
  for (const each of found) {
    const { article } = each.resolved
    const id = each.kind === 'edited' ? each.remote.id : each.entry.id
    const subject = { source: article.source, slug: article.slug, language: article.language, id }
    if (each.kind === 'gone') left.push(reports.skipped(subject, GONE))
    else if (each.kind === 'draft') left.push(reports.skipped(subject, 'it has an open draft on the target'))
    else if (each.decision.text && includes.has(article.source))
      left.push(
        reports.conflict(
          subject,
          reasonOfIncludes([...(includes.get(article.source)?.keys() ?? [])]),
          each.decision,
        ),
      )
    else if (each.decision.kind === 'conflict' && onConflict !== 'overwrite')
      left.push(reports.conflict(subject, EDITED_ON_BOTH_SIDES, each.decision))
    else {
      const before = readUnchanged(contentRoot, article)
      if (before === undefined) left.push(reports.conflict(subject, CHANGED_MEANWHILE, each.decision))
      else incoming.push(toIncoming(each, before, onConflict === 'overwrite'))
    }
  }
  return { incoming, left }
}

function reasonOfIncludes(sources: readonly string[]): string {
  const [first = '', ...others] = sources
  const files = others.length === 0 ? first : `${first} and ${others.length} more`
  return `it includes ${files}: make the same edit there or in the article by hand, then run kb sync --on-conflict overwrite`
}

const GONE = 'it was deleted on the target; the file is kept, and kb sync would send it again'

export const CHANGED_MEANWHILE = 'the file was changed while kb pull ran; run it again'

/** Returns the text of a file if it has not changed since it was compiled. */
export function readUnchanged(
  contentRoot: string,
  { source, sourceHash }: { readonly source: string; readonly sourceHash: string },
): string | undefined {
  const read = readBytes(join(contentRoot, source))
  return read.kind === 'bytes' && digest(read.bytes) === sourceHash ? read.bytes.toString('utf8') : undefined
}

function toIncoming(
  { resolved, remote, html, decision }: Extract<FoundEdit, { kind: 'edited' }>,
  before: string,
  mayLose: boolean,
): IncomingEdit {
  const { fields, text } = decision
  return {
    kind: 'edit',
    source: resolved.article.source,
    before,
    article: resolved.article,
    remote,
    html,
    fields,
    text,
    isForced: decision.kind === 'conflict',
    mayLose,
  }
}

/**
 * Reads the articles that exist only on the target, and chooses a new file for each in the content folder. Reports those
 * with the slug of a file in any case: one may be its article, without marker and state.
 */
export async function readNewcomers(
  { entries, matches }: PlannedRun,
  documents: readonly LocalArticle[],
  client: ApiClient,
  reports: FileReports,
  settings: Settings & { readonly takesNew: boolean; readonly isSelected: (source: string) => boolean },
): Promise<{ readonly incoming: readonly IncomingArticle[]; readonly left: readonly PulledFile[] }> {
  const chosen = chooseNewcomers(entries, documents)
  const { takesNew, isSelected } = settings
  const isOfInterest = ({ source }: Holder) => (source === undefined ? takesNew : isSelected(source))
  const left = chosen.flatMap((each) =>
    each.kind === 'conflict' && isOfInterest(each.holder)
      ? [reports.conflict({ ...each.entry, ...each.holder }, each.reason)]
      : [],
  )
  if (!takesNew) return { incoming: [], left }
  const toRead = chosen.flatMap((each) => (each.kind === 'create' ? [each.entry] : []))
  const read = await Promise.all(toRead.map((entry) => readForeign(entry, client, settings)))
  const isIncluded = await createSourceFilter(settings.include, settings.exclude)
  const nameFile = createNamer(settings.contentRoot)
  const sources = new Map([...matches.entryOf].map(([source, { id }]) => [id, source]))
  const incoming: IncomingArticle[] = []
  for (const each of read.flatMap((one) => one ?? [])) {
    const { remote } = each
    const subject = { ...remote, slug: remote.fields.slug }
    const source = nameFile(remote)
    if (remote.draftId !== undefined)
      left.push(reports.skipped(subject, 'it has an open draft on the target'))
    else if (!isIncluded(source))
      left.push(reports.skipped(subject, `include and exclude in kb.config.ts leave ${source} out`))
    else {
      // Originals come first, so the file of this article's original is known.
      const original = remote.languageParent === undefined ? undefined : sources.get(remote.languageParent)
      sources.set(remote.id, source)
      incoming.push({ kind: 'new', source, ...each, original })
    }
  }
  return { incoming, left }
}

/** Returns undefined if it is gone or now belongs to a project. */
async function readForeign({ id }: RemoteEntry, client: ApiClient, { project, defaultLanguage }: Settings) {
  const read = await client.readArticle(id)
  if (read === undefined) return undefined
  const remote = toRemoteArticle(read, defaultLanguage)
  const { ours, project: owner } = entryOfRemote(remote, project)
  return ours === undefined && owner === undefined ? { remote, html: read.data.content ?? '' } : undefined
}

/** Names files by slug, made safe; for a translation, with its language. */
function createNamer(contentRoot: string): (remote: RemoteArticle) => string {
  const nameFile = createFileNames(readdirSync(contentRoot).map((name) => name.replace(/\.md$/i, '')))
  return ({ fields: { slug }, language }) =>
    `${nameFile(language === null ? slug : `${slug}.${language}`)}.md`
}

type Newcomer =
  | { readonly kind: 'create'; readonly entry: RemoteEntry }
  /** Its slug is taken by a file or by another new article. */
  | {
      readonly kind: 'conflict'
      readonly entry: RemoteEntry
      readonly holder: Holder
      readonly reason: string
    }

interface Holder {
  readonly source?: string
}

/**
 * Finds the articles that exist only on the target and may become files: those without a project that are not drafts of
 * other articles. Originals precede their translations. Pure.
 */
function chooseNewcomers(entries: readonly RemoteEntry[], documents: readonly LocalArticle[]): Newcomer[] {
  const draftIds = new Set(entries.flatMap(({ remote }) => remote?.draftId ?? []))
  const holders = new Map<string, Holder>(
    documents.map((document) => [slugKey(document), { source: document.source }]),
  )
  return entries
    .filter(({ id, ours, project }) => ours === undefined && project === undefined && !draftIds.has(id))
    .toSorted(byRank)
    .map((entry) => {
      const holder = holders.get(slugKey(entry))
      if (holder !== undefined) return { kind: 'conflict', entry, holder, reason: reasonOf(entry, holder) }
      holders.set(slugKey(entry), {})
      return { kind: 'create', entry }
    })
}

function reasonOf({ slug }: RemoteEntry, { source }: Holder): string {
  return source === undefined
    ? 'two articles on the target have this slug'
    : `a file has this slug, but neither a marker nor the state shows that the article is its own; kb sync --adopt ${slug} overwrites the article`
}

function byRank(a: RemoteEntry, b: RemoteEntry): number {
  const rank = ({ languageParent }: RemoteEntry) => (languageParent === undefined ? 0 : 1)
  return rank(a) - rank(b) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.id < b.id ? -1 : 1)
}
