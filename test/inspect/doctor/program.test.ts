import { expect, test } from 'vitest'
import type { RenderSettings } from '../../../src/core/config/settings.ts'
import { checkParser, checkVersion } from '../../../src/inspect/doctor/run-doctor.ts'
import { judgeSpace } from '../../../src/inspect/doctor/checks/check-files.ts'
import { listed, spelledDuration } from '../../../src/inspect/doctor/finding.ts'

test.each([
  ['v18.20.0', 'error'],
  ['v20.18.3', 'error'],
  ['v20.19.0', 'ok'],
  ['v24.1.0', 'ok'],
])('Node.js %s', (version, status) => {
  expect(checkVersion({ version, platform: 'linux', arch: 'x64' }).status).toBe(status)
})

const RENDER: RenderSettings = {
  parser: 'native',
  remarkPlugins: [],
  allow: { tags: [], attributes: {} },
  highlight: false,
}

test('the parser that runs', async () => {
  const found = [
    await checkParser({ render: RENDER }),
    await checkParser({ render: { ...RENDER, parser: 'remark' } }),
    await checkParser({
      render: {
        ...RENDER,
        remarkPlugins: [
          () => {
            throw new Error('Boom')
          },
        ],
      },
    }),
  ]
  expect(found.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    'ok: the native Markdown parser runs',
    'ok: remark-parse runs',
    'error: A plugin of markdown.remarkPlugins fails: Boom',
  ])
})

test('little disk space is a warning', () => {
  expect([judgeSpace(3e9), judgeSpace(150e6)].map(({ status, message }) => `${status}: ${message}`)).toEqual([
    'ok: 3.0 GB of disk space is free',
    'warning: Only 150 MB of disk space is free.',
  ])
})

test('durations and long lists', () => {
  expect([900, 1000, 90_000, 7_200_000, 200_000_000].map(spelledDuration)).toEqual([
    '900 ms',
    '1 second',
    '2 minutes',
    '2 hours',
    '2 days',
  ])
  const names = Array.from({ length: 13 }, (_, index) => `n${index}`)
  expect(listed(names)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 3 more')
  expect(listed(names.slice(0, 11))).toBe(names.slice(0, 11).join(', '))
})
