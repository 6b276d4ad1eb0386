import { sumOf } from '../../core/group-by.ts'
import { relative } from 'node:path'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { pluralize } from '../../core/pluralize.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { RunProfile } from './start-profiler.ts'
import type { StageTime } from './stage-clock.ts'

const LABELS: Readonly<Record<StageTime['stage'], string>> = {
  start: 'start Node.js and kb',
  configure: 'load the configuration',
  find: 'find files',
  hash: 'read and hash files',
  load: 'load code',
  compile: 'compile articles',
  link: 'resolve links and check',
  connect: 'open the target',
  list: 'list the target',
  plan: 'plan',
  send: 'send',
  record: 'save the state',
  close: 'close the target',
}

const LABEL_WIDTH = 26
const TIME_WIDTH = 10

/** Prints how long each stage took, and the files to open. */
export function printProfile({ stages, files }: RunProfile, root: string, terminal: Terminal): void {
  const [main = '', ...threads] = files.map((file) => escapeControlInLine(relative(root, file)))
  const others =
    threads.length === 0 ? '' : `, and ${pluralize(threads.length, 'profile')} of threads beside it`
  terminal.err(`\n${formatStages(stages)}\n`)
  printMessage(terminal, `The CPU profile is in ${main}${others}. Browsers and editors show it.`)
}

/** Formats a table of 46 columns: wall time, and CPU time of all threads. */
function formatStages(stages: readonly StageTime[]): string {
  const total = {
    label: 'total',
    wallMs: sumOf(stages, ({ wallMs }) => wallMs),
    cpuMs: sumOf(stages, ({ cpuMs }) => cpuMs),
  }
  const rows = [...stages.map((each) => ({ ...each, label: LABELS[each.stage] })), total]
  const lines = rows.map(({ label, wallMs, cpuMs }) => line(label, seconds(wallMs), seconds(cpuMs)))
  return [line('', 'wall', 'CPU'), ...lines, ''].join('\n')
}

function line(label: string, wall: string, cpu: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${wall.padStart(TIME_WIDTH)}${cpu.padStart(TIME_WIDTH)}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`
}
