import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { ExitCode } from '../../errors/exit-codes.ts'
import { readEnvironment } from '../../config/resolve-target.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { runCheck } from '../../sync/run-check.ts'
import { selectSources } from '../../sync/select-sources.ts'
import { exitCodeOfDiagnostics } from '../exit-code.ts'
import { formatJson } from '../format-json.ts'
import { formatAnnotations, formatCount, formatDiagnostics } from '../format-diagnostics.ts'
import type { CommonOptions } from '../common-options.ts'
import { runOnProject } from '../run-on-project.ts'
import type { Terminal } from '../terminal.ts'

type CheckFormat = 'pretty' | 'json' | 'github'

/** `kb check` */
export async function checkContent(
  paths: readonly string[],
  options: CommonOptions & { readonly format?: CheckFormat },
  terminal: Terminal,
): Promise<ExitCode> {
  const format = options.json === true ? 'json' : (options.format ?? 'pretty')
  const { quiet = false } = options
  readEnvironment(process.env)
  const isSilent = quiet || format !== 'pretty'
  return runOnProject(paths, { ...options, quiet: isSilent }, terminal, async (run) => {
    const { settings, sources, signal, onProgress } = run
    const isSelected = selectSources(sources)
    const { diagnostics, articles } = await runCheck({ settings, isSelected, signal, onProgress })
    printResult(diagnostics, articles, { format, root: settings.root, quiet }, terminal)
    return exitCodeOfDiagnostics(diagnostics)
  })
}

function printResult(
  diagnostics: readonly Diagnostic[],
  articles: number,
  { format, root, quiet }: { readonly format: CheckFormat; readonly root: string; readonly quiet: boolean },
  terminal: Terminal,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  switch (format) {
    case 'json': {
      const summary = { articles, errors, warnings: diagnostics.length - errors }
      return terminal.out(formatJson({ version: 1, summary, diagnostics }))
    }
    case 'github':
      return terminal.out(formatAnnotations(diagnostics, prefixInRepository(root)))
    case 'pretty': {
      if (diagnostics.length > 0) terminal.out(`${formatDiagnostics(diagnostics, terminal)}\n`)
      if (!quiet) terminal.out(`${formatCount(diagnostics, articles)}\n`)
    }
  }
}

/** GitHub wants paths from the repository's root, which may lie above the project. */
function prefixInRepository(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) {
      const path = relative(folder, root).split(sep).join('/')
      return path === '' ? '' : `${path}/`
    }
    if (dirname(folder) === folder) return ''
  }
}
