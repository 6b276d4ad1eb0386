import type { Settings } from '../../config/settings.ts'
import { diagnosticMaker } from '../../content/load-content.ts'
import { loadTaxonomy } from '../../content/load-taxonomy.ts'
import { createRenderer } from '../../content/markdown/create-renderer.ts'
import { resolveParser } from '../../content/markdown/resolve-parser.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { LocalTaxonomy } from '../../model/taxonomy.ts'
import { contentOptions, findContent } from '../content-project.ts'

/** Reads the taxonomy files alone. */
export async function readTaxonomy(
  settings: Settings,
): Promise<{ readonly taxonomy: LocalTaxonomy; readonly diagnostics: readonly Diagnostic[] }> {
  const options = contentOptions(settings)
  const render = createRenderer(options.markdown, await resolveParser(options.markdown))
  const { taxonomy, problems } = loadTaxonomy(options, await findContent(settings), render)
  return { taxonomy, diagnostics: problems.map(diagnosticMaker(options)) }
}
