import { expect, test } from 'vitest'
import { findUnusedAdopts } from '../../src/cli/results/format-advice.ts'
import type { OperationResult } from '../../src/core/model/plan.ts'

const BASE = { kind: 'article', source: 'a.md', language: null, id: 'id-1', outcome: 'done' } as const

const OPERATIONS: readonly OperationResult[] = [
  { ...BASE, action: 'replace', slug: 'taken-over', reason: 'adopted' },
  { ...BASE, action: 'conflict', slug: 'in-conflict', reason: 'it has an open draft on the target' },
  { ...BASE, action: 'create', slug: 'new' },
]

test('a slug without an adopted article is reported', () => {
  const adopt = ['taken-over', 'in-conflict', 'new', 'mispelt']
  expect(findUnusedAdopts(OPERATIONS, adopt)).toEqual(['new', 'mispelt'])
  expect(findUnusedAdopts(OPERATIONS)).toEqual([])
})
