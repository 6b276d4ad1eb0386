import { resolve } from 'node:path'
import { copyAssets } from '../../inspect/check/assets/copy-assets.ts'
import { readEnvironment } from '../../core/config/resolve-target.ts'
import type { ExitCode } from '../../core/errors/exit-codes.ts'
import type { CommonOptions } from './common-options.ts'
import { printDiagnostics } from '../diagnostics/print-diagnostics.ts'
import { exitCodeOfDiagnostics } from '../results/exit-code.ts'
import { formatAssets, formatAssetsJson } from '../results/format-assets.ts'
import { runOnProject } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `kb assets` */
export async function publishAssets(
  folder: string,
  options: CommonOptions & { readonly dryRun?: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  readEnvironment(process.env)
  const { json = false, verbose = false, quiet = false } = options
  return runOnProject([], options, terminal, async ({ cwd, settings, signal, onProgress }) => {
    const dryRun = options.dryRun ?? false
    const result = await copyAssets({ settings, folder: resolve(cwd, folder), dryRun, signal, onProgress })
    if (json) terminal.out(formatAssetsJson(result))
    else {
      const shown = result.diagnostics.filter(({ severity }) => verbose || severity === 'error')
      await printDiagnostics(shown, settings.root, terminal)
      terminal.out(formatAssets(result, { folder, verbose, quiet }))
    }
    return exitCodeOfDiagnostics(result.diagnostics)
  })
}
