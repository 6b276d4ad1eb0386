import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { createSourceFilter, findSources } from '../../../src/content/source/find-sources.ts'
import { hashSources } from '../../../src/content/source/hash-sources.ts'
import type { ContentOptions } from '../../../src/content/pipeline/content-options.ts'
import { type LoadedContent, loadContent } from '../../../src/content/pipeline/load-content.ts'
import { createLiveContent, type LiveContent } from '../../../src/watch/live-content/live-content.ts'
import { openRenderCache, openTemporaryCache } from '../../../src/content/pipeline/render-cache.ts'
import { contentOptions } from '../../content/load-files.ts'

const isArticle = (source: string) => source.endsWith('.md')

/** Live content of a folder, with its cache in `.kb` below it. */
export function openLive(
  root: string,
  changes: Partial<ContentOptions> = {},
  now: () => number = () => Date.now(),
): LiveContent {
  return createLiveContent({
    options: contentOptions(root, changes),
    isIncluded: Object.assign(isArticle, { isExcludedPackages: () => false }),
    openCache: () => openRenderCache(join(root, '.kb', 'rendered.db')),
    now,
  })
}

/** Everything that content contains, as one value. */
export interface WholeContent extends Omit<
  LoadedContent,
  'readHtml' | 'findAddresses' | 'readExternalLinks' | 'unusableAssets' | 'ignores' | 'index' | 'placed'
> {
  /** One for each article. */
  readonly assignments: readonly unknown[]
  readonly html: Readonly<Record<string, string>>
  readonly addresses: Readonly<Record<string, ReturnType<LoadedContent['findAddresses']>>>
  readonly externalLinks: ReturnType<LoadedContent['readExternalLinks']>
}

export function wholeOf(whole: LoadedContent): WholeContent {
  const {
    readHtml,
    findAddresses,
    readExternalLinks,
    unusableAssets: _,
    ignores: __,
    index: ___,
    placed,
    ...content
  } = whole
  return {
    ...content,
    assignments: content.articles.map(({ source }) => placed?.(source)),
    diagnostics: content.diagnostics.map(withoutGuess),
    html: Object.fromEntries(content.articles.map((article) => [article.source, readHtml(article)])),
    addresses: Object.fromEntries(
      content.articles.map((article) => [article.source, findAddresses(article, () => true)]),
    ),
    externalLinks: readExternalLinks(),
  }
}

/** The result of a run without memory and cache. */
export async function loadAnew(root: string, changes: Partial<ContentOptions> = {}): Promise<WholeContent> {
  const found = findSources(root, await createSourceFilter(['**/*.md'], []), changes.preset)
  const sources = found.articles.map(({ source }) => source)
  const cache = openTemporaryCache()
  try {
    const hashes = hashSources(root, sources)
    return wholeOf(await loadContent({ options: contentOptions(root, changes), found, hashes, cache }))
  } finally {
    cache.close()
  }
}

/** Removes the suggested file, which any run with a cache stores with the text, whatever files are added later. */
function withoutGuess(diagnostic: LoadedContent['diagnostics'][number]) {
  return diagnostic.code === 'include-missing' ? { ...diagnostic, hint: 'a guess' } : diagnostic
}

/** Gives files stamps that no other file of a test has. */
export function createStamper(root: string): (sources: readonly string[]) => void {
  let seconds = 1_600_000_000
  return (sources) => {
    for (const source of sources) utimesSync(join(root, source), ++seconds, seconds)
  }
}
