import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/terminal/progress.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'

/** Creates a terminal that records its output. */
function openTerminal(isTTY: boolean) {
  const written: string[] = []
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text), on: () => undefined }
  const process = { stdout: stream, stderr: stream, env: {} } as unknown as NodeJS.Process
  return { terminal: createTerminal(process), written }
}

const busy = { ms: 30_000, reason: 'the target is busy (429)' }

test('a pause of many requests is reported once if no line can be redrawn', () => {
  const { terminal, written } = openTerminal(false)
  let nowMs = 0
  const { onDelay } = createProgress(terminal, false, () => nowMs)
  onDelay(busy)
  nowMs = 10_000
  onDelay(busy)
  onDelay({ ms: 300, reason: 'the connection broke' })
  nowMs = 40_000
  onDelay({ ms: 1500, reason: 'the connection was lost\u001b[31m' })
  expect(written).toEqual([
    'Waiting 30 s: the target is busy (429).\n',
    'Waiting 2 s: the connection was lost\\u{1b}[31m.\n',
  ])
})

test('a pause is shown in the status line of a terminal until the run continues', () => {
  const { terminal, written } = openTerminal(true)
  const { onDelay, onProgress, stop } = createProgress(terminal, false)
  onDelay(busy)
  onProgress('send', 1, 2)
  stop()
  expect(written).toEqual([
    '\rWaiting 30 s: the target is busy (429)\u001b[K\r',
    '\rSending 1 of 2\u001b[K\r',
    '\r\u001b[K',
  ])
})

test.each([true, false])('a frozen progress counts nothing more (terminal: %s)', (isTTY) => {
  const { terminal, written } = openTerminal(isTTY)
  const { onDelay, onProgress, freeze } = createProgress(terminal, false)
  onProgress('send', 1, 9)
  freeze()
  const before = written.length
  onProgress('send', 2, 9)
  onProgress('copy', 1, 2)
  onDelay(busy)
  expect(written.slice(before)).toEqual([])
})

test('nothing is shown with --quiet', () => {
  const { terminal, written } = openTerminal(false)
  createProgress(terminal, true).onDelay(busy)
  expect(written).toEqual([])
})
