import pc from 'picocolors'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'

export interface CollectingTerminal extends Terminal {
  readonly output: () => string
  readonly messages: () => string
}

/** A terminal that keeps what it is given. */
export function collectingTerminal(changes: Partial<Terminal> = {}): CollectingTerminal {
  const outputs: string[] = []
  const messages: string[] = []
  const colors = pc.createColors(false)
  return {
    out: (text) => void outputs.push(text),
    err: (text) => void messages.push(text),
    isLive: false,
    columns: 80,
    colors,
    errColors: colors,
    status: () => undefined,
    ...changes,
    output: () => outputs.join(''),
    messages: () => messages.join(''),
  }
}
