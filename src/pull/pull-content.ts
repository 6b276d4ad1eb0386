import type { RemoteArticle } from '../model/remote-article.ts'
import { createTaxonomyIndex, type TaxonomyIndex } from '../plan/taxonomy/taxonomy-index.ts'
import { workspaceOf } from '../state/workspace.ts'
import { contentPrefix } from '../sync/content-project.ts'
import type { PlannedRun } from '../sync/planning/planned-run.ts'
import { draftIncoming } from './draft-incoming.ts'
import { findEdits } from './find-edits.ts'
import type { Incoming, IncomingArticle, IncomingEdit } from './incoming.ts'
import { isRecognised } from './is-recognised.ts'
import { planPull } from './plan-pull.ts'
import type { PullContext } from './pull-context.ts'
import type { PullOptions, PullResult } from './pull-options.ts'
import { createFileReports } from './pulled-file.ts'
import { readNewcomers } from './read-newcomers.ts'
import { reportOthers } from './report-others.ts'
import type { SettledDraft } from './settle-drafts.ts'
import { sortEdits } from './sort-edits.ts'
import { summarisePull } from './summarise-pull.ts'
import { writeDrafts } from './write-drafts.ts'

/** Compares clean content with the target, and brings what was edited or written there into the files. */
export async function pullContent(context: PullContext, options: PullOptions): Promise<PullResult> {
  const { settings, isSelected = () => true } = options
  const { content } = context.open
  const { client, name: target } = context.session
  const planned = await planPull(context, options)
  const reports = createFileReports(contentPrefix(settings), options.dryRun)
  const found = await findEdits(planned, { client, isSelected, defaultLanguage: settings.defaultLanguage })
  const edits = sortEdits(found, reports, { ...settings, ...options, includes: content.includes })
  const takesNew = !options.editsOnly && options.isSelected === undefined
  const newcomers = takesNew
    ? await readNewcomers(planned, content.articles, client, reports, settings)
    : { incoming: [], left: [] }
  const incoming = [...edits.incoming, ...newcomers.incoming]
  const tags = tagsOf(planned, incoming)
  const index = createIndex(planned, context, tags)
  const settled = await draftIncoming(incoming, { ...context, planned, index, tags }, settings)
  const written = await writeDrafts(settled.drafts, reports, createNoteOf(index), {
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
    target,
    summary: summarisePull(files, selected.length),
    files,
    diagnostics: [...content.diagnostics, ...planned.plan.diagnostics],
    requests: client.countRequests(),
    failure: written.failure,
  }
}

type Tags = RemoteArticle['tags']

/** The interface lists no tags; articles name theirs. */
function tagsOf({ entries }: PlannedRun, incoming: readonly Incoming[]): Tags {
  const read = [...entries.flatMap(({ remote }) => remote ?? []), ...incoming.map(({ remote }) => remote)]
  return read.flatMap(({ tags }) => tags).filter(({ name }) => name !== '')
}

/** The taxonomy files joined with the target, as the plan has it. */
function createIndex(
  { remote, tagIds }: PlannedRun,
  { open, state, session }: PullContext,
  tags: Tags,
): TaxonomyIndex {
  return createTaxonomyIndex({
    local: open.content.taxonomy,
    categories: remote.categories,
    categoryIds: state.categoryIds,
    tagIds: { ...Object.fromEntries(tags.map(({ name, id }) => [name, id])), ...tagIds },
    target: session.name,
    createsMissing: session.createTaxonomy !== undefined,
  })
}

/** What is to be known of a file that was taken in; each part without full stop. */
function createNoteOf(index: TaxonomyIndex) {
  return (draft: SettledDraft): string | undefined => {
    const { incoming } = draft
    const loss = noteOfLoss(draft)
    const rest = incoming.kind === 'edit' ? noteOfEdit(incoming) : noteOfNewFile(draft, incoming, index)
    const notes = [loss, rest].filter((note) => note !== undefined)
    return notes.length === 0 ? undefined : notes.join('; ')
  }
}

function noteOfLoss({ incoming, article, lost }: SettledDraft): string | undefined {
  if (lost.length > 0) return `left out: ${lost.join(', ')}`
  const isWhole = !hasText(incoming) || article.projectionHash === incoming.remote.projectionHash
  return isWhole ? undefined : 'what a Markdown file cannot hold was left out'
}

function hasText(incoming: Incoming): boolean {
  return incoming.kind === 'new' || incoming.text
}

function noteOfEdit({ isForced }: IncomingEdit): string | undefined {
  return isForced ? 'overwrites an edit of the file' : undefined
}

function noteOfNewFile(
  { article }: SettledDraft,
  { remote }: IncomingArticle,
  index: TaxonomyIndex,
): string | undefined {
  const originalId = article.original === undefined ? undefined : remote.languageParent
  if (isRecognised(article, remote, index, originalId)) return undefined
  const isSame = article.projectionHash === remote.projectionHash
  return `kb sync --adopt ${remote.fields.slug} makes the one on the target ours${isSame ? '' : ', as the file has it'}`
}
