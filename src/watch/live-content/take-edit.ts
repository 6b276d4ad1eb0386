import { isDeepStrictEqual } from 'node:util'
import type { Document } from '../../core/model/document.ts'
import { severityOf } from '../../core/model/diagnostic-codes.ts'
import type { Diagnostic, Problem } from '../../core/model/diagnostic.ts'
import { compareDiagnostics } from '../../core/model/diagnostic.ts'
import { buildCompiled } from '../../content/build-documents.ts'
import { findUnknownReferences } from '../../content/check-references.ts'
import type { CompiledArticle } from '../../content/compile-sources.ts'
import type { CompiledMeta } from '../../content/compiled-source.ts'
import type { ContentOptions } from '../../content/content-options.ts'
import { diagnosticMaker } from '../../content/diagnostic-maker.ts'
import { createExamine } from '../../content/examine-document.ts'
import type { PlacedProblem } from '../../content/placed-problem.ts'
import { examineRecorded } from './examine-recorded.ts'
import type { KnownContent } from './known-content.ts'
import type { LinkRecord } from './link-record.ts'

/** An edit that concerns no other article. */
export interface TakenEdit {
  readonly record: LinkRecord
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Links an edited article to the others as the last load left them. Undefined where the edit may concern others, or is
 * wrong in a way that holds the article back: then the whole content has to be looked at.
 */
export function takeEdit(
  compiled: CompiledArticle,
  before: LinkRecord,
  known: KnownContent,
  options: ContentOptions,
): TakenEdit | undefined {
  const { source, meta } = compiled
  const isWrong = ({ code }: Problem) => severityOf(code, options.rules) === 'error'
  if (meta.problems.some(isWrong)) return undefined
  const built = buildCompiled(compiled, known.defaults)
  if (built?.kind !== 'document') return undefined
  const { document } = built
  if (!standsAsBefore(document, before.document)) return undefined
  if (!placesAsBefore(meta, source, known)) return undefined
  if (findUnknownReferences([document], known.content.taxonomy).length > 0) return undefined
  const record = examineRecorded(document, meta, {
    examine: createExamine(known.linker, options.rules),
    recorder: known.looking.recorder,
    answers: known.looking.answers,
  })
  if (record.isOpen || record.anchorsDigest !== before.anchorsDigest) return undefined
  const own = meta.problems.map((problem): PlacedProblem => ({ source, problem }))
  const problems = [...own, ...record.examined.problems]
  if (problems.some(({ problem }) => isWrong(problem))) return undefined
  const diagnostics = problems.flatMap(diagnosticMaker(options)).toSorted(compareDiagnostics)
  return { record, diagnostics }
}

/** Whether the file says what it said of all that a preset makes of the files together: categories, tags, translations. */
function placesAsBefore(now: CompiledMeta, source: string, { compiled, defaults }: KnownContent): boolean {
  const before = compiled.get(source)?.article.meta
  return defaults.placed === undefined || isDeepStrictEqual(before && saidOf(before), saidOf(now))
}

function saidOf({ isArticle, translationKey, route, frontmatter }: CompiledMeta): unknown {
  return [isArticle, translationKey, route, frontmatter?.categories, frontmatter?.tags]
}

/** Whether all is as it was that others may go by; its anchors aside. */
function standsAsBefore(now: Document, before: Document): boolean {
  return (
    now.slug === before.slug &&
    now.language === before.language &&
    now.status === before.status &&
    now.translationOf === before.translationOf &&
    // A published article that links to a draft is told the draft's title.
    (now.status === 'published' || now.title === before.title)
  )
}
