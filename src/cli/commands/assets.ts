import type { AssetsOptions } from '../../kb/options.ts'
import { printDiagnostics } from '../diagnostics/print-diagnostics.ts'
import { exitCodeOfDiagnostics } from '../results/exit-code.ts'
import { formatAssets, formatAssetsJson } from '../results/format-assets.ts'
import { type RunCommand, runOnProject } from './run-on-project.ts'

export const publishAssets: RunCommand<Pick<AssetsOptions, 'dryRun'>> = async (
  [folder = ''],
  options,
  terminal,
) => {
  const { dryRun, json = false, verbose = false, quiet = false } = options
  return runOnProject([], options, terminal, async ({ kb, settings, signal, onProgress }) => {
    const result = await kb.assets({ folder, dryRun, signal, onProgress })
    if (json) terminal.out(formatAssetsJson(result))
    else {
      const shown = result.diagnostics.filter(({ severity }) => verbose || severity === 'error')
      await printDiagnostics(shown, settings.root, terminal, undefined, verbose)
      terminal.out(formatAssets(result, { folder, verbose, quiet }))
    }
    return exitCodeOfDiagnostics(result.diagnostics)
  })
}
