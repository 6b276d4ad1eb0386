import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import type { PageUrls } from '../../web/pages/page-urls.ts'
import { groupBy } from '../../core/group-by.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'
import type { ArticleChange, PreviewState } from './preview-state.ts'
import type { PreviewView } from './preview-view.ts'

/** What of a view says of one file whether its page looks another way. */
type Shown = Pick<PreviewView, 'diagnostics' | 'heldBack'>

/** Addresses of the article pages that are sure to look another way now, the old ones of those that moved among them. */
export function changedUrls(
  changes: readonly ArticleChange[],
  before: Shown | undefined,
  state: PreviewState,
  urls: PageUrls,
): string[] {
  const places = new Set<string>()
  const { defaultLanguage } = state.settings()
  const add = ({ slug, language }: Pick<DesiredArticle, 'slug' | 'language'>) =>
    places.add(urls.article({ slug, language: language ?? defaultLanguage }))
  for (const change of changes) {
    if (change.before !== undefined) add(change.before)
    if (change.after !== undefined) add(change.after)
  }
  for (const source of sourcesWithOtherProblems(before, state)) {
    const article = state.index()?.bySource(source)
    const slug = state.slugOfUnshown(source)
    if (article !== undefined) add(article)
    else if (slug !== undefined) add({ slug, language: null })
  }
  return [...places]
}

function sourcesWithOtherProblems(before: Shown | undefined, state: PreviewState): Set<string> {
  const now = state.view()
  const sources = new Set<string>()
  if (now === undefined || before === undefined) return sources
  const prefix = state.fileOf('')
  for (const file of filesThatDiffer(before.diagnostics, now.diagnostics)) {
    const source = file.slice(prefix.length)
    sources.add(source)
    for (const [article, included] of now.content?.includes ?? []) {
      if (included.has(source)) sources.add(article)
    }
  }
  for (const source of before.heldBack) if (!now.heldBack.has(source)) sources.add(source)
  for (const source of now.heldBack) if (!before.heldBack.has(source)) sources.add(source)
  return sources
}

function filesThatDiffer(before: readonly Diagnostic[], now: readonly Diagnostic[]): string[] {
  const other = withoutSameEnds(before, now)
  const [old, current] = [other.before, other.now].map((all) => groupBy(all, ({ file }) => file))
  const files = new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])
  return [...files].filter((file) => JSON.stringify(old?.get(file)) !== JSON.stringify(current?.get(file)))
}
