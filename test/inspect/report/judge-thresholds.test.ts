import { expect, test } from 'vitest'
import type { ThresholdName } from '../../../src/core/model/threshold.ts'
import { judgeThresholds } from '../../../src/inspect/report/assemble-report.ts'

const COUNTS = { overdue: 7, acceptedOverdue: 3, broken: 5, acceptedBroken: 5, due: 2 }
const EVERYTHING: readonly ThresholdName[] = ['overdue', 'broken', 'due']

test.each<[string, Parameters<typeof judgeThresholds>[1], ReturnType<typeof judgeThresholds>]>([
  ['nothing is judged unasked', { failOn: [] }, []],
  [
    'what the baseline accepts does not count',
    { failOn: EVERYTHING },
    [
      { name: 'overdue', count: 4, allowed: 0 },
      { name: 'due', count: 2, allowed: 0 },
    ],
  ],
  ['a number alone is judged', { failOn: [], maxOverdue: 3 }, [{ name: 'overdue', count: 4, allowed: 3 }]],
  ['as many as are allowed', { failOn: [], maxOverdue: 4 }, []],
  ['the number says how many --fail-on allows', { failOn: ['overdue'], maxOverdue: 4 }, []],
  ['none allowed', { failOn: [], maxOverdue: 0 }, [{ name: 'overdue', count: 4, allowed: 0 }]],
  [
    'the number is about overdue alone',
    { failOn: ['due'], maxOverdue: 9 },
    [{ name: 'due', count: 2, allowed: 0 }],
  ],
])('%s', (_, options, exceeded) => {
  expect(judgeThresholds(COUNTS, options)).toEqual(exceeded)
})
