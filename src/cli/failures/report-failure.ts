import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { CommanderError } from 'commander'
import { createLineReader } from '../../core/code-frame/format-diagnostics.ts'
import { formatFrame } from '../../core/code-frame/frame.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { formatJson } from '../text/format-json.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { printMessage } from '../terminal/print-message.ts'
import { tryTo } from '../../core/try-to.ts'
import { memoize } from '../../core/memoize.ts'

export interface FailureReport {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export function toFailureReport(error: unknown): FailureReport {
  if (error instanceof KbError)
    return { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) }
  if (error instanceof CommanderError) return { code: 'USAGE', ...readCommanderMessage(error.message) }
  return { code: 'BUG', message: error instanceof Error ? error.message : String(error) }
}

/** Converts `error: unknown option '--jsn'\n(Did you mean --json?)` to a sentence like ours, and a hint. */
function readCommanderMessage(text: string): { readonly message: string; readonly hint?: string } {
  const [, words = text, hint] = /^(?:error: )?(.*?)\.?(?:\n\((Did you mean .*\?)\))?$/s.exec(text) ?? []
  const quoted = words.replace(/(?<!\w)'(.*?)'(?!\w)/gs, '"$1"')
  const message = `${quoted.charAt(0).toUpperCase()}${quoted.slice(1)}.`
  return { message, ...(hint !== undefined && { hint }) }
}

/** Reports why the command failed: as a JSON document on stdout, or text on stderr. For a bug, includes its stack. */
export function reportFailure(error: unknown, asJson: boolean, terminal: Terminal): void {
  const report = toFailureReport(error)
  if (asJson) terminal.out(formatJson({ version: 1, error: report }))
  const { red, dim } = terminal.errColors
  if (report.code === 'BUG') {
    const stack = error instanceof Error && error.stack !== undefined ? inSources(error.stack) : undefined
    terminal.err(
      `${red('error')}: this is a bug in kb-sync; please report it with these lines.\n${escapeControl(stack ?? report.message)}\n`,
    )
    return
  }
  const code = `[${report.code}]`
  printMessage(terminal, `error: ${escapeControl(report.message)} ${code}`, (line) =>
    line.replace(/^error(?=:)/, red).replace(code, dim),
  )
  if (error instanceof KbError) printFrames(error, terminal)
  if (report.hint === undefined) return
  printMessage(terminal, `hint: ${escapeControl(report.hint)}`, (line) => line.replace(/^hint:/, dim))
}

const MOST_FRAMES = 3

function printFrames({ places }: KbError, terminal: Terminal): void {
  const { dim, red } = terminal.errColors
  const readLine = createLineReader('')
  for (const place of places.slice(0, MOST_FRAMES))
    for (const line of formatFrame(place, readLine, terminal.columns, { gutter: dim, mark: red }))
      terminal.err(`${line}\n`)
}

/** Replaces positions in bundles with those in the sources. Source maps are only read here. */
function inSources(stack: string): string {
  const mapOf = memoize((file: string) => readSourceMap(new URL(`${file}.map`)))
  return stack.replace(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (place, file: string, line, column) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return place
    return `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

/** Returns undefined without a readable map: the position in the bundle is then shown. */
function readSourceMap(file: URL): SourceMap | undefined {
  return tryTo(() => new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload))
}
