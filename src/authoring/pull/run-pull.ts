import type { Settings } from '../../core/config/settings.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { type FileDigests, hashSources } from '../../content/source/hash-sources.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { writeState } from '../../sync/state/state-file.ts'
import { prepareWorkspace, workspaceOf, type StateFiles, stateFiles } from '../../sync/state/workspace.ts'
import { type OpenContent, findContent, openContent, withRememberedStorage } from '../../sync/open-content.ts'
import { contentPrefix } from '../../core/paths.ts'
import { loadPast, loadWritten } from '../../sync/state/load-past.ts'
import {
  type PullContentOptions,
  type PullResult,
  summarisePull,
  type PullContext,
  type PulledFile,
  createFileReports,
  type FileReports,
  type AcceptedFile,
  type Incoming,
  type IncomingArticle,
} from './pulled-files.ts'
import { waitForLock } from '../../sync/state/lock.ts'
import { isError } from '../../core/model/diagnostic.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { ownUnsent } from '../../sync/plan/matches-local.ts'
import { resolveArticle } from '../../sync/plan/resolved-article.ts'
import { entryOfRemote, type Ownership } from '../../sync/plan/remote-entry.ts'
import { createTaxonomyIndex, type TaxonomyIndex } from '../../sync/plan/taxonomy/taxonomy-index.ts'
import { makePlan } from '../../sync/plan-run/make-plan.ts'
import { recordOfEntry } from '../../sync/apply/next-state.ts'
import type { PlannedRun } from '../../sync/plan-run/planned-run.ts'
import { proposeFiles } from './propose-files.ts'
import { findEdits, partitionEdits, readNewcomers } from './read-incoming.ts'
import { writeProposedFiles } from './write-proposed-files.ts'

/**
 * Runs `kb pull`: writes edits made on the target to files, and articles that exist only there to new files, which it
 * adds to the state. Sends nothing to the target. If the content has errors, reports them and pulls nothing.
 *
 * @throws KbError if the run cannot start
 */
export async function runPull({ target, ...asked }: PullContentOptions): Promise<PullResult> {
  const settings = await withRememberedStorage(asked.settings, target)
  const options = { ...asked, target, settings }
  const { dryRun } = options
  const foundBefore = await findContent(settings)
  const workspace = workspaceOf(settings.root)
  prepareWorkspace(workspace)
  const files = stateFiles(target, settings, workspace)
  // The lock of kb sync: content that is read here must not be sent at the same time.
  const { unlock, hasWaited } = dryRun
    ? { unlock: () => undefined, hasWaited: false }
    : await waitForLock(files.lock, options)
  try {
    const found = hasWaited ? await findContent(settings) : foundBefore
    const sources = found.articles.map(({ source }) => source)
    const hashes = hashSources(settings.contentRoot, sources)
    const { onProgress, signal } = options
    const open = await openContent(settings, found, { hashes, onProgress, signal })
    try {
      return await pullOpen(open, { found, hashes, files }, options)
    } finally {
      open.cache.close()
    }
  } finally {
    unlock()
  }
}

async function pullOpen(
  open: OpenContent,
  project: { readonly found: FoundSources; readonly hashes: FileDigests; readonly files: StateFiles },
  options: PullContentOptions,
): Promise<PullResult> {
  const { settings, connect, signal } = options
  if (open.content.diagnostics.some(isError)) return rejected(open, options)
  const state = loadPast(project.files, settings.project)
  const session = await connect({ readOnly: true, signal })
  try {
    const { result, records } = await pullContent({ ...project, open, state, session }, options)
    if (records.length === 0) return result
    return { ...result, failure: result.failure ?? (await keepRecords(records, project.files, settings)) }
  } finally {
    await session.close()
  }
}

function rejected({ content }: OpenContent, { target }: PullContentOptions): PullResult {
  return {
    target: target.name,
    summary: summarisePull([], 0),
    files: [],
    diagnostics: content.diagnostics,
    requests: {},
    failure: undefined,
  }
}

/**
 * Compares valid content with the target, and writes the target's edits and new articles to files.
 *
 * @returns `records`: for the state, of articles that became files and of those that were claimed
 */
async function pullContent(context: PullContext, options: PullContentOptions) {
  const { settings, isSelected = () => true } = options
  const { content } = context.open
  const { client, name: target } = context.session
  const planned = await planPull(context, options)
  const reports = createFileReports(contentPrefix(settings), options.dryRun)
  const found = await findEdits(planned, client, settings.defaultLanguage, isSelected)
  const edits = partitionEdits(found, reports, { ...settings, ...options, includes: content.includes })
  const takesNew = !options.editsOnly && options.isSelected === undefined
  const newcomers = await readNewcomers(planned, content.articles, client, reports, {
    ...settings,
    takesNew,
    isSelected,
  })
  const incoming = [...edits.incoming, ...newcomers.incoming]
  const tags = tagsOf(planned, incoming)
  const index = createIndex(planned, context, tags)
  const settled = await proposeFiles(incoming, { ...context, planned, index, tags }, settings)
  const recognise = createRecognise(index)
  const written = await writeProposedFiles(settled.accepted, reports, createNoteOf(recognise), {
    ...options,
    contentRoot: settings.contentRoot,
    backupFolder: workspaceOf(settings.root).backupFolder,
  })
  const files = [
    ...written.files,
    ...settled.rejected.map(reports.rejected),
    ...edits.left,
    ...newcomers.left,
    ...(options.isSelected === undefined ? reportOthers(planned, reports) : []),
  ]
  const selected = content.articles.filter(({ source }) => isSelected(source))
  return {
    result: {
      target,
      summary: summarisePull(files, selected.length),
      files,
      diagnostics: [...content.diagnostics, ...planned.plan.diagnostics],
      requests: client.countRequests(),
      failure: written.failure,
    },
    records: recordsOf(written.written, recognise, planned, settings.project),
  }
}

/** Reads every article of this project and, without paths, all others. Does not use the planned changes. */
async function planPull(
  { open: { content }, session, state }: PullContext,
  { settings, isSelected }: PullContentOptions,
): Promise<PlannedRun> {
  return makePlan({
    session,
    state,
    articles: content.articles,
    readHtml: content.readHtml,
    taxonomy: content.taxonomy,
    created: { categoryIds: {}, tagIds: {} },
    options: {
      project: settings.project,
      defaultLanguage: settings.defaultLanguage,
      contentPrefix: contentPrefix(settings),
      taxonomyMode: 'check',
      prune: isSelected === undefined,
      overwriteDrift: false,
      adopt: new Set(),
      verify: true,
      // Nothing is deleted here, so missing articles need no limit.
      maxGone: (known) => known,
      isSelected: isSelected ?? (() => true),
      held: new Set(),
      isSought: isSelected ?? (() => true),
      readsBeforeWrite: false,
      // With `verify`, remembered data is not used.
      nowMs: 0,
      patience: undefined,
    },
  })
}

type Tags = RemoteArticle['tags']

/** Collects tags from articles, because the API does not list them. */
function tagsOf({ entries }: PlannedRun, incoming: readonly Incoming[]): Tags {
  const read = [...entries.flatMap(({ remote }) => remote ?? []), ...incoming.map(({ remote }) => remote)]
  return read.flatMap(({ tags }) => tags).filter(({ name }) => name !== '')
}

/** Combines the taxonomy files with the target, as in a plan. */
function createIndex({ remote, tagIds }: PlannedRun, { open, state, session }: PullContext, tags: Tags) {
  return createTaxonomyIndex({
    local: open.content.taxonomy,
    categories: remote.categories,
    categoryIds: state.categoryIds,
    tagIds: { ...Object.fromEntries(tags.map(({ name, id }) => [name, id])), ...tagIds },
    target: session.name,
    createsMissing: session.createTaxonomy !== undefined,
  })
}

/** Returns the ownership of the article of a new file; undefined unless the file equals the article exactly. */
type Recognise = (file: AcceptedFile) => Ownership | undefined

function createRecognise(index: TaxonomyIndex): Recognise {
  const idsOf = (references: readonly string[], resolve: TaxonomyIndex['tag']) =>
    references.flatMap((reference) => {
      const resolved = resolve(reference)
      return resolved.kind === 'id' ? [resolved.id] : []
    })
  return ({ article, incoming: { remote } }) => {
    const id = article.original === undefined ? undefined : remote.languageParent
    const translationOf = id === undefined ? undefined : { id }
    const [categoryIds, tagIds] = [idsOf(article.categories, index.category), idsOf(article.tags, index.tag)]
    return ownUnsent(remote, resolveArticle(article, categoryIds, tagIds, translationOf))
  }
}

/**
 * Returns records by which the next run knows new files by their id. With a state, that run claims nothing, so articles
 * claimed by this run are added to the state.
 */
function recordsOf(
  written: readonly AcceptedFile[],
  recognise: Recognise,
  { entries, matches, wanted }: PlannedRun,
  project: string,
): ArticleRecord[] {
  const pulled = written.flatMap((file) => {
    const { incoming } = file
    const ours = incoming.kind === 'new' ? recognise(file) : undefined
    if (ours === undefined) return []
    const entry = { ...entryOfRemote(incoming.remote, project), ours: { ...ours, isPulled: true } }
    return recordOfEntry(entry, { source: incoming.source }, { wanted })
  })
  if (pulled.length === 0) return []
  const sourceOf = new Map([...matches.entryOf].map(([source, { id }]) => [id, source]))
  const claimed = entries.filter(({ ours }) => ours?.isClaimed === true)
  return [
    ...claimed.flatMap((entry) => recordOfEntry(entry, { source: sourceOf.get(entry.id) }, { wanted })),
    ...pulled,
  ]
}

/** Adds to the state file without the journal of an interrupted run, which the next sync also uses. */
async function keepRecords(records: readonly ArticleRecord[], files: StateFiles, { project }: Settings) {
  const before = loadWritten(files, project)
  const known = new Set(before.articles.map(({ id }) => id))
  const articles = [...before.articles, ...records.filter(({ id }) => !known.has(id))]
  const ids = new Set(articles.map(({ id }) => id))
  const foreign = before.foreign.filter(({ id }) => !ids.has(id))
  try {
    await writeState(files.state, project, { ...before, articles, foreign })
    return undefined
  } catch (error) {
    if (error instanceof KbError) return error
    throw error
  }
}

/** Returns notes about a changed file, each without a full stop. */
function createNoteOf(recognise: Recognise) {
  return (file: AcceptedFile): string | undefined => {
    const { incoming } = file
    const overwrites = incoming.kind === 'edit' && incoming.isForced
    const ofEdit = overwrites ? 'overwrites an edit of the file' : undefined
    const rest = incoming.kind === 'edit' ? ofEdit : noteOfNewFile(file, incoming, recognise)
    const notes = [noteOfLoss(file), rest].filter((note) => note !== undefined)
    return notes.length === 0 ? undefined : notes.join('; ')
  }
}

function noteOfLoss({ incoming, article, lost }: AcceptedFile): string | undefined {
  if (lost.length > 0) return `left out: ${lost.join(', ')}`
  const hasText = incoming.kind === 'new' || incoming.text
  const isWhole = !hasText || article.projectionHash === incoming.remote.projectionHash
  return isWhole ? undefined : 'content that Markdown cannot represent was left out'
}

function noteOfNewFile(file: AcceptedFile, { remote }: IncomingArticle, recognise: Recognise) {
  const { article } = file
  if (recognise(file) !== undefined) return undefined
  const isSame = article.projectionHash === remote.projectionHash
  return `kb sync --adopt ${remote.fields.slug} takes over the article on the target${isSame ? '' : ' and overwrites it with the file'}`
}

/** Reports articles of this project without a file. */
function reportOthers({ plan, matches, entries }: PlannedRun, { skipped }: FileReports): PulledFile[] {
  const orphans = plan.orphans.map((orphan) =>
    skipped(orphan, 'its file is gone; kb sync --prune deletes it'),
  )
  // A draft is reported with its article.
  const draftIds = new Set(entries.flatMap(({ remote }) => remote?.draftId ?? []))
  const duplicates = matches.duplicates
    .filter(({ id }) => !draftIds.has(id))
    .map(({ id, slug, language }) =>
      skipped({ id, slug, language }, 'a second article for the same file; kb sync handles it'),
    )
  return [...orphans, ...duplicates]
}
