import type { DesiredArticle } from '../model/document.ts'
import type { Operation, Orphan } from '../model/plan.ts'
import { slugKey } from '../model/slug-key.ts'
import { hasDrifted } from './detect-drift.ts'
import { holdBack } from './hold-back.ts'
import type { Matches } from './match-articles.ts'
import type { Offers } from './offers.ts'
import type { WantedArticle } from './payload.ts'
import type { RemoteEntry } from './remote-entry.ts'

export interface ArticlePlanOptions {
  /** `overwrite` covers edited articles of ours; a foreign article needs its slug in `adopt`. */
  readonly overwriteDrift: boolean
  /** Slugs of foreign articles that may become ours. */
  readonly adopt: ReadonlySet<string>
  readonly prune: boolean
  /** Ids that state knew and the target no longer has. */
  readonly goneIds: ReadonlySet<string>
  /** Ids that state knew: these we sent ourselves. */
  readonly knownIds: ReadonlySet<string>
  readonly offers: Offers
}

/** What a decision about one document is made from. */
interface Surroundings {
  /** Who of others holds the slug. */
  readonly holder: RemoteEntry | undefined
  /** Ids that articles of the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
}

export interface ArticlePlan {
  readonly operations: readonly Operation[]
  readonly unchanged: number
  readonly orphans: readonly Orphan[]
}

/**
 * Decides what happens to every article. Pure. `entries` are all that is known of the target, the entries of
 * `matches` included, each read freshly where something is to be done with it.
 */
export function planArticles(
  wanted: readonly WantedArticle[],
  matches: Matches,
  entries: readonly RemoteEntry[],
  options: ArticlePlanOptions,
): ArticlePlan {
  const foreign = new Map(
    entries.filter((entry) => entry.ours === undefined).map((entry) => [slugKey(entry), entry]),
  )
  const originalIds = new Set(entries.flatMap(({ languageParent }) => languageParent ?? []))
  const decisions = holdBack(
    wanted,
    wanted.map((each) => {
      const holder = foreign.get(slugKey(each.article))
      return decide(each, matches.entryOf.get(each.article.source), { holder, originalIds }, options)
    }),
    matches,
    options,
  )
  const orphans = matches.orphans.filter(({ id }) => !options.goneIds.has(id))
  return {
    operations: [
      ...decisions.filter((operation) => operation !== undefined),
      ...(options.prune ? orphans.map((entry) => planDelete(entry, options)) : []),
      ...planDoubles(wanted, matches, options),
    ],
    unchanged: decisions.filter((operation) => operation === undefined).length,
    orphans: orphans.map(({ id, title, slug, language }) => ({ id, title, slug, language })),
  }
}

/** The operation for one document, or undefined where nothing is to be done. */
function decide(
  wanted: WantedArticle,
  entry: RemoteEntry | undefined,
  { holder, originalIds }: Surroundings,
  options: ArticlePlanOptions,
): Operation | undefined {
  const isGone = entry !== undefined && options.goneIds.has(entry.id)
  if (entry !== undefined && !isGone) return decideOurs(wanted, entry, { holder, originalIds }, options)
  if (holder === undefined) {
    return operationFor(wanted, undefined, 'create', isGone ? 'it was deleted on the target' : undefined)
  }
  if (options.adopt.has(wanted.article.slug)) {
    return change(wanted, holder, { originalIds, ...options }, 'adopted')
  }
  return operationFor(wanted, holder, 'conflict', foreignReason(holder))
}

function decideOurs(
  wanted: WantedArticle,
  entry: RemoteEntry,
  { holder, originalIds }: Surroundings,
  options: ArticlePlanOptions,
): Operation | undefined {
  const { ours, remote } = entry
  const drifted = ours !== undefined && remote !== undefined && hasDrifted(ours, remote)
  if (ours?.fingerprint === wanted.fingerprint && !drifted) return undefined
  if (holder !== undefined && slugKey(holder) !== slugKey(entry)) {
    return operationFor(wanted, holder, 'conflict', foreignReason(holder))
  }
  if (remote?.draftId !== undefined)
    return operationFor(wanted, entry, 'conflict', 'a draft of it is open on the target')
  if (drifted && !options.overwriteDrift)
    return operationFor(wanted, entry, 'conflict', 'it was edited on the target')
  const reason = drifted ? 'overwrites an edit made on the target' : undefined
  return change(wanted, entry, { originalIds, ...options }, reason)
}

/** In place where that is offered; else the new version replaces the old one, whose id is then no more. */
function change(
  wanted: WantedArticle,
  entry: RemoteEntry,
  { offers, originalIds }: Pick<ArticlePlanOptions, 'offers'> & Pick<Surroundings, 'originalIds'>,
  reason: string | undefined,
): Operation {
  if (offers.update) return operationFor(wanted, entry, 'update', reason)
  return originalIds.has(entry.id)
    ? operationFor(wanted, entry, 'conflict', 'a translation names it as its original, and would lose it')
    : operationFor(wanted, entry, 'replace', reason)
}

function planDelete(entry: RemoteEntry, options: ArticlePlanOptions): Operation {
  const { ours, remote, id, slug, language } = entry
  const base = { kind: 'article', source: '', slug, language, id } as const
  if (remote?.draftId !== undefined) {
    return {
      ...base,
      action: 'conflict',
      reason: 'no file wants it, but a draft of it is open on the target',
    }
  }
  const drifted = ours !== undefined && remote !== undefined && hasDrifted(ours, remote)
  if (drifted && !options.overwriteDrift) {
    return { ...base, action: 'conflict', reason: 'no file wants it, but it was edited on the target' }
  }
  return { ...base, action: 'delete', reason: 'no file wants it any more' }
}

function planDoubles(
  wanted: readonly WantedArticle[],
  { doubles }: Matches,
  options: ArticlePlanOptions,
): Operation[] {
  const keepers = new Map(wanted.map(({ article }) => [article.key, article]))
  return doubles.flatMap((entry) => {
    const article = keepers.get(entry.ours?.key ?? '')
    return article === undefined || options.goneIds.has(entry.id) ? [] : [planDouble(entry, article, options)]
  })
}

/** The surplus of two articles of one document goes only if it is, to the letter, what we sent for that document. */
function planDouble(
  entry: RemoteEntry,
  article: DesiredArticle,
  { knownIds }: ArticlePlanOptions,
): Operation {
  const { id, slug, language, title, ours, remote } = entry
  const base = { kind: 'article', source: article.source, slug, language, id } as const
  const isOfDocument = knownIds.has(id) || (slug === article.slug && title === article.title)
  const isAsSent =
    remote !== undefined &&
    remote.draftId === undefined &&
    remote.fieldsHash === ours?.fieldsHash &&
    remote.projectionHash === ours.projectionHash
  return isOfDocument && isAsSent && language === article.language
    ? { ...base, action: 'delete', reason: 'a second article of the same document' }
    : { ...base, action: 'skip', reason: 'a second article of the same document, left alone' }
}

function operationFor(
  { article }: WantedArticle,
  entry: RemoteEntry | undefined,
  action: Operation['action'],
  reason?: string,
): Operation {
  return {
    kind: 'article',
    action,
    source: article.source,
    slug: article.slug,
    language: article.language,
    id: entry?.id ?? '',
    ...(reason === undefined ? {} : { reason }),
  }
}

function foreignReason({ project }: RemoteEntry): string {
  return project === undefined
    ? 'the slug belongs to an article that kb-sync did not create'
    : `the slug belongs to an article of the project "${project}"`
}
