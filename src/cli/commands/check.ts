import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { EXIT } from '../../core/errors/exit-codes.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { Settings } from '../../core/config/settings.ts'
import { relativePath } from '../../core/paths.ts'
import type { CheckResult } from '../../inspect/check/run-check.ts'
import type { CheckOptions } from '../../kb/options.ts'
import { type CheckFormat, TEXT_FORMATS } from '../diagnostics/check-formats.ts'
import { printBaseline, reportCheck } from '../diagnostics/report-check.ts'
import { exitCodeOfDiagnostics } from '../results/exit-code.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { assertOneFormat, type ExternalFlags, readExternal } from './shared-flags.ts'
import { type CommonFlags, type RunCommand, runOnProject } from './run-on-project.ts'

export interface CheckFlags
  extends CommonFlags, ExternalFlags, Pick<CheckOptions, 'fix' | 'dryRun' | 'baseline' | 'writeBaseline'> {
  readonly format?: CheckFormat
  readonly max?: number
}

export const checkContent: RunCommand<CheckFlags> = async (paths, options, terminal) => {
  assertOneFormat(options)
  const format = options.json === true ? 'json' : (options.format ?? 'pretty')
  assertShown(format, options)
  const { quiet = false, verbose = false, max, fix, dryRun, baseline, writeBaseline } = options
  const external = readExternal(options)
  const isSilent = quiet || format !== 'pretty'
  return runOnProject(paths, { ...options, quiet: isSilent }, terminal, async (run) => {
    const { kb, settings, sources, signal, onProgress } = run
    const result = await kb.check({
      sources,
      fix,
      dryRun,
      baseline,
      writeBaseline,
      external,
      signal,
      onProgress,
    })
    const report = { ...result, format, quiet, verbose, max, root: settings.root, env: process.env, signal }
    await reportCheck(report, terminal)
    printUnchecked(paths, settings, result, terminal)
    if (!quiet && format !== 'json') printBaseline(result.baseline, options, terminal)
    const { unwritten = [] } = result
    for (const { file, reason } of unwritten)
      printMessage(
        terminal,
        escapeControlInLine(`${file} could not be written: ${reason}. Nothing in it was changed.`),
      )
    return unwritten.length > 0 ? EXIT.failed : exitCodeOfDiagnostics(result.diagnostics)
  })
}

/** @throws KbError USAGE */
function assertShown(format: CheckFormat, { max }: CheckFlags): void {
  if (max === undefined || TEXT_FORMATS.some((each) => each === format)) return
  throw new KbError('USAGE', `--max cannot be combined with the format ${format}.`, {
    hint: `It limits what these formats show: ${TEXT_FORMATS.join(', ')}.`,
  })
}

/** A path without an article must not seem valid. Snippets and taxonomy files have names that start with `_`. */
function printUnchecked(
  paths: readonly string[],
  { root, contentRoot, include, preset }: Pick<Settings, 'root' | 'contentRoot' | 'include' | 'preset'>,
  result: CheckResult,
  terminal: Terminal,
): void {
  if (result.articles > 0 || result.diagnostics.length > 0) return
  if (paths.length === 0) {
    const content = relativePath(root, contentRoot) || 'The project folder'
    const text = `${content} contains no articles. Articles are the files that match include: ${include.join(', ')}.`
    const isOfTool = preset === undefined && hasMdx(contentRoot) ? ` ${MDX}` : ''
    return printMessage(terminal, escapeControlInLine(`${text}${isOfTool}`))
  }
  const others = paths.filter((path) => !basename(path).startsWith('_'))
  if (others.length === 0) return
  const are = others.length === 1 ? 'contains no article and was' : 'contain no articles and were'
  printMessage(terminal, `${escapeControlInLine(others.join(', '))} ${are} not checked.`)
}

const MDX =
  "Its .mdx files need a preset in kb.config.ts: the tool that they were written for, or 'folder' for any other."

function hasMdx(folder: string): boolean {
  return readdirSync(folder, { recursive: true }).some((name) => name.toString().endsWith('.mdx'))
}
