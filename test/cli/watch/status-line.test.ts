// The status line of a watch as a real terminal shows it: output goes through a terminal emulator.
import { EventEmitter } from 'node:events'
import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { createTerminal } from '../../../src/cli/terminal/terminal.ts'
import { createStatusLine } from '../../../src/cli/watch/status-line.ts'
import { createPrettyReport } from '../../../src/cli/watch/report-pretty.ts'
import type { WatchStatus } from '../../../src/watch/reducer/watch-event.ts'
import { done, operation, ready, sent, standing, started } from './watch-events.ts'

/** Creates a terminal window with this many columns that records its output. */
function openWindow(columns: number) {
  const screen = new xterm.Terminal({ cols: columns, rows: 20, convertEol: true, allowProposedApi: true })
  const written: string[] = []
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    write: (text: string) => {
      written.push(text)
      screen.write(text)
    },
  })
  const process = { stdout: stream, stderr: stream, env: { NO_COLOR: '1' } } as unknown as NodeJS.Process
  return {
    terminal: createTerminal(process),
    written,
    resize: async (to: number) => {
      await drained(screen)
      screen.resize(to, 20)
      stream.columns = to
      stream.emit('resize')
    },
    /** The lines that are not empty. */
    lines: async () => {
      await drained(screen)
      const { active } = screen.buffer
      return Array.from(
        { length: active.length },
        (_, index) => active.getLine(index)?.translateToString(true) ?? '',
      )
        .join('\n')
        .trimEnd()
        .split('\n')
    },
  }
}

function drained(screen: xterm.Terminal): Promise<void> {
  return new Promise((resolve) => screen.write('', resolve))
}

const now = () => new Date(2026, 2, 1, 14, 3, 22)
const pretty = { root: '/project', quiet: false, verbose: false, now }
const at = (changes: Partial<WatchStatus>): WatchStatus => ({
  state: 'watching',
  pending: 0,
  sent: 0,
  conflicts: 0,
  failed: 0,
  errors: 0,
  warnings: 0,
  ...changes,
})

test('the status is always the last line, and is removed at the end', async () => {
  const { terminal, lines } = openWindow(80)
  const report = createPrettyReport(pretty, terminal)
  report.onEvent(started())
  report.onEvent(standing({ state: 'starting' }))
  expect((await lines()).at(-1)).toBe('starting')
  report.onEvent(ready())
  report.onEvent(standing({ sent: 12 }))
  report.onEvent(sent(operation('guides/reset.md')))
  report.onEvent(standing({ sent: 13, errors: 1, warnings: 2 }))
  expect(await lines()).toEqual([
    'Watching content, sending to the built-in server.',
    'Pages: http://127.0.0.1:4400/',
    '14:03:22 ready    Articles: 12 created, 4,988 unchanged  1.2 s',
    '14:03:22 updated  guides/reset.md → /articles/reset  38 ms',
    'watching · 13 sent · 1 error, 2 warnings',
  ])
  report.end(done)
  expect((await lines()).slice(4)).toEqual(['Stopped: 12 articles sent to builtin. Everything was sent.'])
})

test('nothing is written while nothing changes, or for a quick save', () => {
  const { terminal, written } = openWindow(80)
  const timers: (() => void)[] = []
  const line = createStatusLine(terminal, (act) => {
    timers.push(act)
    return () => void timers.splice(timers.indexOf(act), 1)
  })
  line.show(at({ sent: 1 }))
  for (let save = 0; save < 3; save++) {
    line.show(at({ state: 'sending', pending: 1, sent: 1 }))
    line.show(at({ sent: 1 }))
    line.restore()
  }
  expect(written).toEqual(['\rwatching · 1 sent\u001b[K\r'])
  line.show(at({ state: 'sending', pending: 500, sent: 1 }))
  for (const act of timers.splice(0)) act()
  expect(written.slice(1)).toEqual(['\rsending · 500 files waiting · 1 sent\u001b[K\r'])
})

test('a line of wide characters is cut at the edge of the window', async () => {
  const { terminal, lines } = openWindow(40)
  terminal.status(() => '測試')
  expect(await lines()).toEqual(['測試'])
  const narrow = openWindow(12)
  createStatusLine(narrow.terminal).show(at({ sent: 12, errors: 3 }))
  expect(await narrow.lines()).toEqual(['watching ·…'])
})

test('a resized window still has one line', async () => {
  const { terminal, lines, resize } = openWindow(70)
  terminal.out('above\n')
  createStatusLine(terminal).show(at({ pending: 3, sent: 1200, errors: 1, warnings: 2 }))
  const whole = 'watching · 3 files waiting · 1,200 sent · 1 error, 2 warnings'
  expect(await lines()).toEqual(['above', whole])
  await resize(30)
  expect(await lines()).toEqual(['above', 'watching · 3 files waiting ·…'])
  await resize(70)
  expect(await lines()).toEqual(['above', whole])
})
