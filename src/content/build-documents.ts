import type { Document, Frontmatter } from '../model/document.ts'
import { buildDocument, type DocumentDefaults } from './build-document.ts'
import type { NamingArticle } from './check-references.ts'
import type { CompiledArticle } from './compile-sources.ts'
import type { CompiledMeta } from './compiled-source.ts'
import type { PlacedProblem } from './placed-problem.ts'

export interface BuiltDocuments {
  /** With what each was compiled to, in the order of their sources. */
  readonly documents: ReadonlyMap<Document, CompiledMeta>
  /** Sources of articles with errors of their own. */
  readonly faulty: readonly string[]
  /** What those name whose frontmatter can be read, but is not valid. */
  readonly naming: readonly NamingArticle[]
}

/** Makes documents of compiled articles; what they find wrong is added to `problems`. */
export function buildDocuments(
  compiled: readonly CompiledArticle[],
  defaults: DocumentDefaults,
  problems: PlacedProblem[],
): BuiltDocuments {
  const documents = new Map<Document, CompiledMeta>()
  for (const { source, sourceHash, inputKey, meta } of compiled) {
    for (const problem of meta.problems) problems.push({ source, problem })
    if (!hasFrontmatter(meta)) continue
    const built = buildDocument(source, { sourceHash, inputKey }, meta, defaults)
    if (built.kind === 'document') documents.set(built.document, meta)
    else for (const problem of built.problems) problems.push({ source, problem })
  }
  const naming = compiled.flatMap(({ source, meta: { named } }) => (named ? [{ source, ...named }] : []))
  return { documents, faulty: faultySources(compiled, documents), naming }
}

function faultySources(
  compiled: readonly CompiledArticle[],
  documents: ReadonlyMap<Document, CompiledMeta>,
): string[] {
  const accepted = new Set([...documents.keys()].map(({ source }) => source))
  return compiled.flatMap(({ source }) => (accepted.has(source) ? [] : [source]))
}

function hasFrontmatter(meta: CompiledMeta): meta is CompiledMeta & { frontmatter: Frontmatter } {
  return meta.frontmatter !== undefined
}
