import type { Document, Frontmatter } from '../../core/model/document.ts'
import { buildDocument, type BuiltDocument, type DocumentDefaults } from '../frontmatter/build-document.ts'
import type { NamingArticle } from '../rules/check-references.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import type { PlacedProblem } from '../source/placed-problem.ts'

interface BuiltDocuments {
  /** With what each was compiled to, in the order of their sources. */
  readonly documents: ReadonlyMap<Document, CompiledMeta>
  /** Sources of articles with errors of their own. */
  readonly faulty: readonly string[]
  /** What those name whose frontmatter can be read, but is not valid. */
  readonly naming: readonly NamingArticle[]
}

/** Undefined where not even the frontmatter can be read. */
export type BuildCompiled = (
  article: CompiledArticle,
  defaults: DocumentDefaults,
) => BuiltDocument | undefined

export const buildCompiled: BuildCompiled = ({ source, sourceHash, inputKey, meta }, defaults) =>
  hasFrontmatter(meta) ? buildDocument(source, { sourceHash, inputKey }, meta, defaults) : undefined

/** Makes documents of compiled articles; what they find wrong is added to `problems`. */
export function buildDocuments(
  compiled: readonly CompiledArticle[],
  defaults: DocumentDefaults,
  problems: PlacedProblem[],
  build: BuildCompiled = buildCompiled,
): BuiltDocuments {
  const documents = new Map<Document, CompiledMeta>()
  const faulty: string[] = []
  for (const article of compiled) {
    const { source, meta } = article
    for (const problem of meta.problems) problems.push({ source, problem })
    if (meta.isArticle === false) continue
    const built = build(article, defaults)
    if (built?.kind === 'document') documents.set(built.document, meta)
    else faulty.push(source)
    if (built?.kind === 'rejected') for (const problem of built.problems) problems.push({ source, problem })
  }
  const naming = compiled.flatMap(({ source, meta: { named } }) => (named ? [{ source, ...named }] : []))
  return { documents, faulty, naming }
}

function hasFrontmatter(meta: CompiledMeta): meta is CompiledMeta & { frontmatter: Frontmatter } {
  return meta.frontmatter !== undefined
}
