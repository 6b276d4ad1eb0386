// All articles of a run after which files and target were equal, so that a report need not load them. Lines of JSON:
// the run, then each article. A later run for a few edited articles appends these: the last line of an article counts.
import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { eachLine } from '../../core/find-lines.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { textInPieces, writeFileWhole } from '../../core/write-file-whole.ts'
import type { IndexedRun } from './run-index.ts'

/** @throws what the operating system reports */
export function writeRunArticles(
  file: string,
  run: string,
  articles: readonly LocalArticle[],
): Promise<void> {
  return writeFileWhole(file, textOf(run, articles))
}

function* textOf(run: string, articles: readonly LocalArticle[]): Generator<string> {
  yield `${JSON.stringify({ run })}\n`
  yield* textInPieces(articles, lineOf)
}

/** @throws what the operating system reports */
export function appendRunArticles(file: string, articles: readonly LocalArticle[]): Promise<void> {
  return appendFile(file, articles.map(lineOf).join(''))
}

function lineOf(article: LocalArticle): string {
  return `${JSON.stringify(article)}\n`
}

/** The articles of a run in order, by source; undefined if one is missing or not in its last edited version. */
export function loadRunArticles(
  file: string,
  { run, edits }: IndexedRun,
): ReadonlyMap<string, LocalArticle> | undefined {
  try {
    const lines = eachLine(readFileSync(file))
    if ((JSON.parse(lines.next().value ?? '') as { readonly run: string }).run !== run) return undefined
    const articles = new Map<string, LocalArticle>()
    for (const line of lines) {
      const article = JSON.parse(line) as LocalArticle
      articles.set(article.source, article)
    }
    const isCurrent = edits.every(
      ({ source, file: edited }) => edited === undefined || articles.get(source)?.sourceHash === edited.hash,
    )
    return isCurrent ? articles : undefined
  } catch {
    return undefined
  }
}
