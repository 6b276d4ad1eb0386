import { basename } from 'node:path'
import type { FixResult } from '../../inspect/check/fix/fix-content.ts'
import type { RunCheckOptions, CheckResult } from '../../inspect/check/run-check.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { readEnvironment } from '../../core/config/resolve-target.ts'
import { selectSources } from '../../sync/select-sources.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { assertOneFormat } from './assert-one-format.ts'
import { exitCodeOfDiagnostics } from '../results/exit-code.ts'
import type { CommonOptions } from './common-options.ts'
import type { CheckFormat } from '../diagnostics/check-formats.ts'
import { reportCheck } from '../diagnostics/report-check.ts'
import { type ExternalFlags, readExternal } from './read-external.ts'
import { runOnProject } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface CheckCommandOptions extends CommonOptions, ExternalFlags {
  readonly format?: CheckFormat
  readonly fix?: boolean
}

/** `kb check` */
export async function checkContent(
  paths: readonly string[],
  options: CheckCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  assertOneFormat(options)
  const format = options.json === true ? 'json' : (options.format ?? 'pretty')
  const { quiet = false, fix = false } = options
  readEnvironment(process.env)
  const external = readExternal(options)
  const isSilent = quiet || format !== 'pretty'
  return runOnProject(paths, { ...options, quiet: isSilent }, terminal, async (run) => {
    const { settings, sources, signal, onProgress } = run
    const request = { settings, isSelected: selectSources(sources), external, signal, onProgress }
    const result = await check(request, fix)
    const report = { ...result, format, quiet, root: settings.root, env: process.env, signal }
    await reportCheck(report, terminal)
    tellOfNothing(paths, result, terminal)
    for (const { file, reason } of result.unwritten ?? [])
      terminal.err(
        `${escapeControlInLine(`${file} could not be written: ${reason}. Nothing in it was changed.`)}\n`,
      )
    return (result.unwritten ?? []).length > 0 ? EXIT.failed : exitCodeOfDiagnostics(result.diagnostics)
  })
}

/** A path that is no article must not look as if it had been found good. Names with `_` are of snippets and taxonomy files. */
function tellOfNothing(paths: readonly string[], result: CheckResult, terminal: Terminal): void {
  if (result.articles > 0 || result.diagnostics.length > 0) return
  const others = paths.filter((path) => !basename(path).startsWith('_'))
  if (others.length === 0) return
  const are = others.length === 1 ? 'is no article and holds none' : 'are no articles and hold none'
  terminal.err(`${escapeControlInLine(others.join(', '))} ${are}: nothing of it was checked.\n`)
}

async function check(
  request: RunCheckOptions,
  fix: boolean,
): Promise<CheckResult & Partial<Pick<FixResult, 'fixed' | 'unwritten'>>> {
  if (fix) {
    const { fixContent } = await import('../../inspect/check/fix/fix-content.ts')
    return fixContent(request)
  }
  const { runCheck } = await import('../../inspect/check/run-check.ts')
  return runCheck(request)
}
