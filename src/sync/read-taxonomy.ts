import type { Settings } from '../core/config/settings.ts'
import { diagnosticMaker } from '../content/pipeline/make-diagnostics.ts'
import { draftTaxonomy, finishTaxonomy } from '../content/taxonomy/load-taxonomy.ts'
import { loadRenderer } from '../content/pipeline/create-compiler.ts'
import { resolveParser } from '../content/parser/resolve-parser.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'
import { contentOptions, findContent } from './content-project.ts'

/** Reads the taxonomy files alone. */
export async function readTaxonomy(
  settings: Settings,
): Promise<{ readonly taxonomy: LocalTaxonomy; readonly diagnostics: readonly Diagnostic[] }> {
  const options = contentOptions(settings)
  const render = await loadRenderer(options.markdown, await resolveParser(options.markdown))
  const draft = draftTaxonomy(options, await findContent(settings), render)
  // Where links of descriptions lead is known when the articles are: a sync puts them right.
  const { taxonomy } = finishTaxonomy(draft, ({ url }) => ({ link: { kind: 'url', url }, url }))
  return { taxonomy, diagnostics: draft.problems.flatMap(diagnosticMaker(options)) }
}
