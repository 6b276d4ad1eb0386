import { appendFileSync } from 'node:fs'
import { statIfThere } from '../../core/paths.ts'
import { changedFiles, pullRequestBase } from '../../core/git/base-of.ts'
import type { CheckResult } from '../../inspect/check/run-check.ts'
import { reasonOf } from '../../core/errors/kb-error.ts'
import { changedFirst, formatAnnotations, formatNotice, takeShown } from './format-github.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { formatNumber } from '../../core/format-number.ts'
import { codeSpan, escapeMarkdown } from '../markdown/escape-markdown.ts'
import { limitSections, type Section } from '../markdown/limit-sections.ts'
import { countCodes, formatCount } from './format-summary.ts'

/** GitHub does not show a larger summary. */
const SUMMARY_BYTES = 1024 * 1024

/**
 * Prints workflow commands to the log, with problems in files of this pull request first, because GitHub shows only ten
 * errors and ten warnings per step. The job summary contains the whole list; without a summary, the log does.
 */
export async function reportOnGithub(
  { diagnostics, articles }: CheckResult,
  { root, prefix }: { readonly root: string; readonly prefix: string },
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<string> {
  const git = { folder: root, env, signal }
  const base = await pullRequestBase(git)
  const changed = (base === undefined ? undefined : await changedFiles(git, base)) ?? new Set<string>()
  const sorted = changedFirst(diagnostics, prefix, changed)
  const summaryFile = env['GITHUB_STEP_SUMMARY'] ?? ''
  if (summaryFile === '' || diagnostics.length === 0) return formatAnnotations(sorted, prefix)
  const failure = writeSummary(summaryFile, (room) => formatJobSummary(sorted, articles, prefix, room))
  return formatAnnotations(failure === '' ? takeShown(sorted) : sorted, prefix) + failure
}

/** Returns a failure as an additional annotation; '' without a failure. */
function writeSummary(file: string, format: (roomBytes: number) => string): string {
  try {
    appendFileSync(file, format(SUMMARY_BYTES - (statIfThere(file)?.size ?? 0)))
    return ''
  } catch (error) {
    return formatNotice('warning', `The job summary could not be written: ${reasonOf(error)}.`)
  }
}

/** Formats all problems as Markdown for GitHub's job summary, at most `limitBytes`. They are in reading order. */
export function formatJobSummary(
  diagnostics: readonly Diagnostic[],
  articles: number,
  prefix: string,
  limitBytes: number,
): string {
  const intro = `### kb check\n\n${formatCount(diagnostics, articles)}\n`
  const codes: Section = {
    head: '| Problem | Severity | Count |\n| --- | --- | ---: |\n',
    items: countCodes(diagnostics).map(
      ([{ code, severity }, count]) => `| ${codeSpan(code)} | ${severity} | ${formatNumber(count)} |\n`,
    ),
    noun: 'kind',
  }
  const rows: Section = {
    head: '| Location | Severity | Problem | What to do |\n| --- | --- | --- | --- |\n',
    items: diagnostics.map((diagnostic) => formatRow(diagnostic, prefix)),
    noun: 'problem',
  }
  return `${limitSections(intro, [codes, rows], limitBytes)}\n`
}

function formatRow({ file, line, column, severity, code, message, hint = '' }: Diagnostic, prefix: string) {
  const place = codeSpan(`${prefix}${file}:${line}:${column}`)
  return `| ${place} | ${severity} | ${codeSpan(code)}<br>${escapeMarkdown(message)} | ${escapeMarkdown(hint)} |\n`
}
