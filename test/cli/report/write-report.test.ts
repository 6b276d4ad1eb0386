import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeReport } from '../../../src/cli/report/format-report.ts'

test('a bug in a format is not reported as an error of the file, and leaves no file behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-report-'))
  const fault = new TypeError('a bug')
  function* pieces(): Generator<string> {
    yield 'begun'
    throw fault
  }
  await expect(writeReport(join(folder, 'r.json'), 'r.json', pieces())).rejects.toBe(fault)
  await expect(writeReport(join(folder, 'none', 'r.json'), 'r.json', ['x'])).rejects.toMatchObject({
    code: 'FILES_UNWRITABLE',
  })
  expect(readdirSync(folder)).toEqual([])
})
