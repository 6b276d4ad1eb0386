import { groupBy } from '../../core/group-by.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { IgnoredLines } from '../markdown/ignore-comments.ts'
import type { CompiledArticle } from '../markdown/rendered-body.ts'
import { rangeOf } from '../source/source-problem.ts'

/** The comments of all texts that disable rules for some lines. */
export type Ignores = ReturnType<typeof createIgnores>

interface Entry {
  readonly source: string
  readonly lines: IgnoredLines
  isUsed: boolean
}

export function createIgnores(compiled: readonly CompiledArticle[]) {
  // The comments of a snippet are stored once, however many articles include it.
  const entries = new Map<string, Entry>()
  for (const article of compiled) {
    for (const lines of article.meta.ignored ?? []) {
      const source = lines.source ?? article.source
      const key = [source, lines.line, lines.column, lines.code].join('\0')
      if (entries.has(key)) continue
      entries.set(key, { source, lines, isUsed: false })
    }
  }
  const byFile = groupBy(entries.values(), ({ source }) => source)
  return {
    /** Returns true if a problem of the file `source` is ignored, and records that its comment was needed. */
    covers: ({ code, line }: Problem, source: string) => {
      const found = (byFile.get(source) ?? []).filter(
        ({ lines }) => lines.code === code && lines.from <= line && line <= lines.to,
      )
      for (const entry of found) entry.isUsed = true
      return found.length > 0
    },
    /** Returns a problem for each comment that was not needed so far. To be called after `covers` for all problems. */
    unused: (isKnown: (source: string) => boolean) =>
      [...entries.values()]
        .filter(({ source, lines, isUsed }) => !isUsed && lines.code !== ON_REQUEST && isKnown(source))
        .map(({ source, lines }) => ({ source, problem: unusedProblem(lines) })),
  }
}

/** Checked only with a flag. */
const ON_REQUEST = 'link-external-broken'

function unusedProblem(lines: IgnoredLines): Problem {
  return {
    code: 'ignore-unused',
    ...rangeOf(lines),
    message: `The comment ignores ${lines.code}, but there is no such problem.`,
    hint: 'Remove the comment, or this code in it.',
  }
}
