import { type Area, AREAS, areaOf } from '../../inspect/doctor/checks.ts'
import { type DoctorReport, summariseFindings } from '../../inspect/doctor/doctor-report.ts'
import type { Finding, FindingStatus } from '../../inspect/doctor/finding.ts'
import { groupBy } from '../../core/group-by.ts'
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import { formatJson } from '../text/format-json.ts'
import { worstFinding } from './exit-code.ts'

interface DoctorFormat {
  /** True to show only errors and warnings. */
  readonly quiet: boolean
  /** True to include the name of each check. */
  readonly verbose: boolean
}

const SIGNS: Readonly<Record<FindingStatus, string>> = {
  ok: '+',
  warning: '!',
  error: 'x',
  unknown: '?',
  skipped: '·',
}

/** Formats the findings of the doctor for people: by area, one line per finding, with advice below. */
export function formatDoctor({ findings }: DoctorReport, format: DoctorFormat, place: TerminalStyle): string {
  const shown = format.quiet ? findings.filter(isProblem) : findings
  const areas = (Object.keys(AREAS) as Area[]).flatMap((area) => {
    const own = shown.filter(({ check }) => areaOf(check) === area)
    return own.length === 0 ? [] : [formatArea(AREAS[area], own, format, place)]
  })
  const closing = format.quiet ? [] : [formatClosing(findings, place)]
  return [...areas, ...closing].join('\n')
}

function isProblem({ status }: Finding): boolean {
  return status === 'error' || status === 'warning'
}

function formatArea(title: string, findings: readonly Finding[], format: DoctorFormat, place: TerminalStyle) {
  const merged = format.verbose ? findings : mergeSkipped(findings)
  const lines = merged.map((finding) => formatFinding(finding, format, place))
  return `${place.colors.bold(title)}\n${lines.join('')}`
}

/** Combines checks that were skipped for the same reason. */
function mergeSkipped(findings: readonly Finding[]): readonly Finding[] {
  const skipped = groupBy(
    findings.filter(({ status }) => status === 'skipped'),
    ({ message }) => message,
  )
  const merged = [...skipped].flatMap(([reason, [first, ...others]]) => {
    if (first === undefined) return []
    const names = [first, ...others].map(({ check }) => check.slice(check.indexOf('.') + 1))
    return [{ ...first, message: `not checked, because ${reason}: ${names.join(', ')}` }]
  })
  return [...findings.filter(({ status }) => status !== 'skipped'), ...merged]
}

function formatFinding(finding: Finding, format: DoctorFormat, { colors, columns }: TerminalStyle): string {
  const { status, message, hint, check } = finding
  const paint = {
    ok: colors.green,
    warning: colors.yellow,
    error: colors.red,
    unknown: colors.cyan,
    skipped: colors.dim,
  }
  const name = format.verbose ? ` [${check}]` : ''
  const text = `${escapeControl(message)}${name}`.split('\n')
  const body = text.flatMap((line) => wrapToColumns(line.trim(), columns - 4)).join('\n    ')
  const advice = hint === undefined ? [] : wrapToColumns(`hint: ${escapeControlInLine(hint)}`, columns - 6)
  const hints = advice.map((line) => `      ${colors.dim(line)}\n`).join('')
  return `  ${paint[status](SIGNS[status])} ${body}\n${hints}`
}

function formatClosing(findings: readonly Finding[], { colors }: TerminalStyle): string {
  const { errors, warnings, unknown } = summariseFindings(findings)
  const parts = [
    ...(errors > 0 ? [colors.red(pluralize(errors, 'error'))] : []),
    ...(warnings > 0 ? [colors.yellow(pluralize(warnings, 'warning'))] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return `${parts.length === 0 ? 'No problems found' : parts.join(', ')}.\n`
}

/** `error` repeats the failure that determines the exit code, if it is in the catalogue. */
export function formatDoctorJson(report: DoctorReport): string {
  const { findings, requests, target = null } = report
  const worst = worstFinding(findings)
  const error =
    worst?.code === undefined ? undefined : { code: worst.code, message: worst.message, hint: worst.hint }
  return formatJson({
    version: 1,
    target,
    summary: summariseFindings(findings),
    findings,
    requests,
    ...(error !== undefined && { error }),
  })
}
