import { posix } from 'node:path'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import { FileUploads } from './apply/file-uploads.ts'
import { contentPrefix } from './content-project.ts'
import { holdBackArticles, listUnread } from './hold-back.ts'
import { makePlan, planOptions } from './plan-run/make-plan.ts'
import type { Run } from './plan-run/planned-run.ts'
import { assertPlanHolds, narrowToShard } from './saved/save-plan.ts'
import type { SyncContentOptions } from './sync-options.ts'
import type { CreatedTaxonomy, TargetSession } from './target-session.ts'

const NOTHING_CREATED: CreatedTaxonomy = { categories: [], tags: [], categoryIds: {}, tagIds: {} }

/**
 * Compares content with the target; articles that are held back stay there as they are. In mode `sync`, a target that
 * creates missing categories and tags first gets the entries of the taxonomy files.
 *
 * @throws KbError PLAN_OUTDATED, SHARD_UNSUPPORTED, TARGET_DIFFERENT and what the client throws
 */
export async function planContent(
  content: LoadedContent,
  { session, state }: Pick<Run, 'session' | 'state'>,
  options: SyncContentOptions,
): Promise<Run> {
  const creates = options.mode === 'sync' ? session.createTaxonomy : undefined
  const unread = listUnread(content)
  const articles = [...content.articles, ...unread]
  const unreadSources = new Set(unread.map(({ source }) => source))
  const planWith = (created: CreatedTaxonomy) =>
    makePlan({
      session,
      state,
      articles,
      readHtml: (article) => (unreadSources.has(article.source) ? '' : content.readHtml(article)),
      taxonomy: content.taxonomy,
      created,
      options: planOptions(options),
    })
  // A saved plan is compared with a plan made in the same way, before anything is created.
  const looked = options.savedPlan === undefined ? undefined : await planWith(NOTHING_CREATED)
  if (looked !== undefined && options.savedPlan !== undefined)
    assertPlanHolds(options.savedPlan, looked, options.settings)
  const unsent = options.mode === 'sync' ? await uploadDescribed(content, session, options) : []
  const created = (unsent.length === 0 && (await creates?.(content.taxonomy))) || NOTHING_CREATED
  const made = creates === undefined && looked !== undefined ? looked : await planWith(created)
  const diagnostics = [...made.plan.diagnostics, ...unsent]
  const whole = { ...made, plan: { ...made.plan, diagnostics } }
  const run = { session, state, planned: whole, created, problems: [] }
  const { savedPlan } = options
  if (savedPlan?.shard !== undefined)
    return { ...run, whole, planned: narrowToShard(savedPlan.plan, savedPlan.shard, whole) }
  if (options.held === undefined) return run
  const { isSelected } = planOptions(options)
  return { ...run, ...holdBackArticles(whole, { articles, held: options.held, isSelected, state }) }
}

/** Categories and tags are sent before all articles, so a failed upload of one of their files is an error. */
async function uploadDescribed(
  { describedFiles: files }: Pick<LoadedContent, 'describedFiles'>,
  { client }: TargetSession,
  { settings }: SyncContentOptions,
): Promise<Diagnostic[]> {
  if (files.length === 0) return []
  const uploads = new FileUploads({ client, contentRoot: settings.contentRoot, isOffered: true })
  await uploads.ask([{ files }])
  const reason = await uploads.send({ files })
  if (reason === undefined) return []
  const file = posix.join(contentPrefix(settings), files[0]?.usedAt ?? '')
  const message = `A description cannot be sent: ${reason}.`
  return [{ code: 'asset-unconfirmed', severity: 'error', file, line: 1, column: 1, message }]
}
