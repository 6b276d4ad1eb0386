import { isDeepStrictEqual } from 'node:util'
import { sortedRange } from '../../core/sorted-range.ts'
import { placedText } from '../../content/build-document.ts'
import type { CompiledArticle } from '../../content/compile-sources.ts'
import { type LoadedContent, readExternalLinks } from '../../content/load-content.ts'
import type { RenderCache } from '../../content/render-cache.ts'
import { replaceOwn } from './diagnostics-of-file.ts'
import type { KnownContent } from './known-content.ts'
import { mergeUsed } from './merge-used.ts'
import type { TakenEdit } from './take-edit.ts'

/** Puts an edit into what is known, and gives the content with it. */
export function applyEdit(
  compiled: CompiledArticle,
  { record, diagnostics }: TakenEdit,
  file: string,
  known: KnownContent,
  cache: RenderCache,
): LoadedContent {
  const { document, examined } = record
  const { source } = document
  const assetsBefore = known.records.get(source)?.assets
  known.compiled.set(source, {
    article: compiled,
    built: { kind: 'document', document },
    placed: placedText(known.defaults, source),
  })
  known.records.set(source, record)
  known.standings.set(source.normalize('NFC'), { kind: 'accepted', document })
  known.linker.renew(document)
  // Not `known` itself: what is made of it here would hold the content before each edit.
  const { content, beside, draft, linker, compiled: all } = known
  const { start: at } = sortedRange(content.articles, source, (article) => article.source)
  const usesTheSame = isDeepStrictEqual(record.assets, assetsBefore)
  const articles = content.articles.with(at, examined.article)
  return {
    ...content,
    articles,
    diagnostics: replaceOwn(content.diagnostics, file, diagnostics),
    assets: usesTheSame
      ? content.assets
      : mergeUsed([...[...known.records.values()].map(({ assets }) => assets), beside]),
    readExternalLinks: () => {
      const compiledNow = [...all.values()].map(({ article }) => article)
      return readExternalLinks(compiledNow, draft.draft, { articles, linker, cache })
    },
  }
}
