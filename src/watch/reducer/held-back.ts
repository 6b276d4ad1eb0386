import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'

export interface HeldBack {
  /** Sources of articles that have an error of their own. */
  readonly sources: ReadonlySet<string>
  /** Taxonomy files with an error. It concerns all articles: where there is one, nothing is sent. */
  readonly taxonomy: readonly string[]
  readonly isEverything: boolean
}

export const NOTHING_HELD: HeldBack = { sources: new Set(), taxonomy: [], isEverything: false }

/**
 * What must not be sent. An error in an included file is one of every article that includes it.
 *
 * @param unsound sources that `content` shows in their last good version, or not at all, and those that wait for one
 * @param prefix the content folder as diagnostics name it, with a slash at its end
 */
export function heldBack(content: LoadedContent, unsound: ReadonlySet<string>, prefix: string): HeldBack {
  const wrong = new Set(
    content.diagnostics.flatMap(({ severity, file }) =>
      severity === 'error' ? [file.startsWith(prefix) ? file.slice(prefix.length) : file] : [],
    ),
  )
  const all = new Set([...TAXONOMY_FILES, ...folderFiles(content, prefix)])
  const taxonomy = [...wrong].filter((source) => all.has(source)).toSorted()
  const including =
    wrong.size === 0
      ? []
      : [...content.includes].flatMap(([source, files]) =>
          [...files.keys()].some((file) => wrong.has(file)) ? [source] : [],
        )
  return {
    sources: new Set([...unsound, ...[...wrong].filter((source) => !all.has(source)), ...including]),
    taxonomy,
    isEverything: taxonomy.length > 0,
  }
}

function folderFiles({ diagnostics }: LoadedContent, prefix: string): string[] {
  return diagnostics.flatMap(({ code, file }) =>
    code.startsWith('taxonomy-') && file.startsWith(prefix) ? [file.slice(prefix.length)] : [],
  )
}
