import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import type { DiagnosticCode } from '../../../src/core/model/diagnostic-codes.ts'
import { diagnosticsOf, replaceOwn } from '../../../src/content/pipeline/own-diagnostics.ts'

function found(file: string, line: number, code: DiagnosticCode = 'trailing-space'): Diagnostic {
  return { code, severity: 'warning', message: '', file, line, column: 1 }
}

const ORPHANED = found('content/b.md', 1, 'article-orphaned')
const ALL = [found('content/a.md', 3), ORPHANED, found('content/b.md', 7), found('content/b.md.md', 2)]

test('finds the diagnostics of one file', () => {
  expect(diagnosticsOf(ALL, 'content/b.md')).toEqual(ALL.slice(1, 3))
  expect(diagnosticsOf(ALL, 'content/b.txt')).toEqual([])
})

test('replaces the diagnostics of a file except those of rules over all articles', () => {
  const own = [found('content/b.md', 9), found('content/b.md', 0)]
  expect(replaceOwn(ALL, 'content/b.md', own)).toEqual([ALL[0], own[1], ORPHANED, own[0], ALL[3]])
  expect(replaceOwn(ALL, 'content/b.md', [])).toEqual([ALL[0], ORPHANED, ALL[3]])
  expect(replaceOwn(ALL, 'content/aa.md', [found('content/aa.md', 1)])).toEqual([
    ...ALL.slice(0, 1),
    found('content/aa.md', 1),
    ...ALL.slice(1),
  ])
})

test('returns the same list if both are empty', () => {
  expect(replaceOwn(ALL, 'content/aa.md', [])).toBe(ALL)
  expect(replaceOwn([ORPHANED], 'content/b.md', [])).toEqual([ORPHANED])
})
