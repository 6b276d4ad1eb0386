import { readFileSync } from 'node:fs'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatDoctor, formatDoctorJson } from '../../../src/cli/results/format-doctor.ts'
import { CHECKS } from '../../../src/inspect/doctor/checks.ts'
import { exitCodeOfFindings } from '../../../src/cli/results/exit-code.ts'
import type { DoctorReport } from '../../../src/inspect/doctor/doctor-report.ts'
import { failure, type Finding, ok, skipped, unknown, warning } from '../../../src/inspect/doctor/finding.ts'

const REPORT: DoctorReport = {
  target: 'live',
  findings: [
    ok('program.version', 'kb-sync 1.0.0'),
    {
      ...failure('connection.answer', 'No answer.\n  at all \u001b[31m', 'Try it again.'),
      code: 'TARGET_UNREACHABLE',
    },
    skipped('connection.write', 'the target could not be reached'),
    skipped('connection.clock', 'the target could not be reached'),
    warning('target.limit', `It is ${'nearly '.repeat(15)}full.`, `Ask ${'again and '.repeat(10)}again.`),
    unknown('target.slugs', 'not known yet'),
  ],
  requests: { GET: 2 },
}

const PLAIN = { colors: pc.createColors(false), columns: 80 }

test('findings are sorted by area, with advice, within 80 columns', () => {
  const text = formatDoctor(REPORT, { quiet: false, verbose: false }, PLAIN)
  expect(text).toBe(`Program
  + kb-sync 1.0.0

Connection
  x No answer.
    at all \\u{1b}[31m
      hint: Try it again.
  · not checked, because the target could not be reached: write, clock

Target
  ! It is nearly nearly nearly nearly nearly nearly nearly nearly nearly nearly
    nearly nearly nearly nearly nearly full.
      hint: Ask again and again and again and again and again and again and
      again and again and again and again and again.
  ? not known yet

1 error, 1 warning, 1 unknown.
`)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('--quiet shows only problems, --verbose names every check', () => {
  const quiet = formatDoctor(REPORT, { quiet: true, verbose: false }, PLAIN)
  expect(quiet.match(/^ {2}\S/gm)).toEqual(['  x', '  !'])
  const verbose = formatDoctor(REPORT, { quiet: false, verbose: true }, PLAIN)
  expect(verbose.match(/\[[a-z]+\.[a-z]+\]/g)).toHaveLength(REPORT.findings.length)
})

test('no findings', () => {
  const text = formatDoctor({ ...REPORT, findings: [] }, { quiet: false, verbose: false }, PLAIN)
  expect(text).toBe('No problems found.\n')
})

test('the document repeats the data that determines the exit code', () => {
  const { findings, requests } = REPORT
  const error = {
    code: 'TARGET_UNREACHABLE',
    message: 'No answer.\n  at all \u001b[31m',
    hint: 'Try it again.',
  }
  const summary = { ok: 1, warnings: 1, errors: 1, unknown: 1, skipped: 2 }
  const text = formatDoctorJson(REPORT)
  expect(JSON.parse(text)).toEqual({ version: 1, target: 'live', summary, findings, requests, error })
  expect(text).not.toContain('\u001b')
  expect(JSON.parse(formatDoctorJson({ target: undefined, findings: [], requests: {} }))).toEqual({
    version: 1,
    target: null,
    summary: { ok: 0, warnings: 0, errors: 0, unknown: 0, skipped: 0 },
    findings: [],
    requests: {},
  })
})

const coded = (code: NonNullable<Finding['code']>): Finding => ({ ...failure('probe.run', 'x'), code })

test.each<readonly [readonly Finding[], number]>([
  [[], 0],
  [[warning('target.limit', 'x'), unknown('target.slugs', 'x'), skipped('target.tags', 'x')], 0],
  [[failure('files.problems', 'x')], 1],
  [[failure('files.problems', 'x'), coded('TARGET_REFUSED')], 3],
  [[failure('files.problems', 'x'), coded('TARGET_REFUSED'), coded('CONFIG_INVALID')], 2],
])('the exit code is that of the worst finding', (findings, code) => {
  expect(exitCodeOfFindings(findings)).toBe(code)
})

test('the guide lists every check', () => {
  const page = readFileSync(new URL('../../../content/command-line/doctor.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)` \| (.*) \|$/gm)].map(([, check, what]) => [
    check,
    what,
  ])
  expect(listed).toEqual(Object.entries(CHECKS))
})
