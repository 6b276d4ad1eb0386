// Holds articles back in a plan: they stay on the target as they are, and nothing is deleted because of them.
import { placeholderOf } from '../content/pipeline/build-corpus.ts'
import { defaultSlugOf } from '../content/preset/site-path.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Settings } from '../core/config/settings.ts'
import { isError } from '../core/model/diagnostic.ts'
import { documentKey, type LocalArticle } from '../core/model/document.ts'
import type { Operation } from '../core/model/plan.ts'
import type { TargetState } from '../core/model/target-state.ts'
import type { RemoteEntry } from './plan/remote-entry.ts'
import type { PlannedRun } from './plan-run/planned-run.ts'

interface HoldBackInput {
  readonly articles: readonly LocalArticle[]
  /** Sources of articles with errors. */
  readonly held: ReadonlySet<string>
  /** True if the run may send the article. */
  readonly isSelected: (source: string) => boolean
  readonly state: Pick<TargetState, 'articles'>
}

/**
 * Removes the articles of held files from the orphans, and also holds back each article whose categories or tags the
 * target lacks. No orphan is deleted if the article of a held file is unknown: that file may have been moved, and the
 * orphan may be its article. Pure.
 *
 * @returns the plan, and the problems that the target found in the articles that are held back
 */
export function holdBackArticles(planned: PlannedRun, input: HoldBackInput) {
  const { plan } = planned
  const problems = plan.diagnostics.filter(isError)
  const unresolved = problems.length === 0 ? [] : findUnresolved(planned, input)
  const held = new Set([...input.held, ...unresolved.map(({ source }) => source)])
  if (held.size === 0) return { planned, problems }
  const heldOrphans = findHeldOrphans(planned, held, input.state)
  const placed = new Set([...planned.matches.entryOf.keys(), ...heldOrphans.values()])
  const mayDelete = [...held].every((source) => placed.has(source))
  const orphans = plan.orphans.filter(({ id }) => !heldOrphans.has(id))
  const operations = plan.operations.filter(
    ({ action, id = '' }) => action !== 'delete-orphan' || (mayDelete && !heldOrphans.has(id)),
  )
  // Also without prune: otherwise, it would seem that prune deletes them.
  const decided = new Set(operations.map(({ id }) => id))
  const kept = mayDelete ? [] : orphans.filter(({ id }) => !decided.has(id))
  return {
    planned: {
      ...planned,
      plan: {
        ...plan,
        operations: [
          ...operations,
          ...kept.map(
            ({ id, slug, language }) =>
              ({ kind: 'article', action: 'skip', id, slug, language, reason: MAY_BE_HELD }) as const,
          ),
          ...unresolved.map((article) => skip(article, UNRESOLVED)),
        ],
        orphans,
        diagnostics: plan.diagnostics.filter((each) => !problems.includes(each)),
      },
    },
    problems,
  }
}

const MAY_BE_HELD = 'it may belong to an article that is held back'
const UNRESOLVED = 'the target lacks one of its categories or tags'
const FAULTY = 'held back because of an error'

function skip(article: Pick<LocalArticle, 'source' | 'slug' | 'language'>, reason: string) {
  const { source, slug, language } = article
  return { kind: 'article', action: 'skip', source, slug, language, reason } as const
}

function findUnresolved({ plan, wanted }: PlannedRun, { articles, isSelected }: HoldBackInput) {
  const told = new Set(plan.operations.map(({ source }) => source))
  return articles.filter(({ source }) => isSelected(source) && !wanted.has(source) && !told.has(source))
}

/** Returns the orphans that belong to held files: the source by id. */
function findHeldOrphans(
  { matches: { orphans } }: PlannedRun,
  held: ReadonlySet<string>,
  { articles }: Pick<TargetState, 'articles'>,
): ReadonlyMap<string, string> {
  const sources = new Map(articles.map(({ id, source }) => [id, source]))
  const languages = [...new Set(orphans.map(({ language }) => language))]
  const ownerOf = new Map(
    [...held].flatMap((source) =>
      languages.map((language) => [documentKey(source, language), source] as const),
    ),
  )
  const sourceOf = ({ id, ours }: RemoteEntry) => {
    const known = sources.get(id)
    return known !== undefined && held.has(known) ? known : ownerOf.get(ours?.key ?? '')
  }
  return new Map(
    orphans.flatMap((entry) => {
      const source = sourceOf(entry)
      return source === undefined ? [] : [[entry.id, source] as const]
    }),
  )
}

/**
 * Returns stand-ins for files of which only the path is known. Each matches the article that was sent from its file, so
 * that no other document takes that article or its slug. Pure.
 */
export function listUnread({ articles, rejected }: LoadedContent): LocalArticle[] {
  if (rejected.size === 0) return []
  const known = new Set(articles.map(({ source }) => source))
  return [...rejected].flatMap((source) => {
    if (known.has(source)) return []
    const key = documentKey(source, null)
    // No article has a digest as its slug or title.
    const version = { key, slug: key, title: key, language: null, source, sourceHash: key, inputKey: key }
    return [{ ...placeholderOf(version), original: undefined, contentHash: key, projectionHash: key }]
  })
}

/** Returns one operation for each article that is held back because of an error in the content. */
export function listHeld(
  { articles, waiting }: Pick<LoadedContent, 'articles' | 'waiting'>,
  held: readonly string[],
  { render }: Pick<Settings, 'render'>,
): Operation[] {
  const known = new Map(articles.map((article) => [article.source, article]))
  return held.toSorted().map((source) => {
    const { slug, language } = known.get(source) ?? {
      slug: defaultSlugOf(source, render.frontmatter),
      language: null,
    }
    const awaited = waiting.get(source) ?? []
    const reason = awaited.length === 0 ? FAULTY : `held back until ${awaited.join(' and ')} can be sent`
    return skip({ source, slug, language }, reason)
  })
}
