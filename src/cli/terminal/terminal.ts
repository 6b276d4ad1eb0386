import pc from 'picocolors'

type Colors = ReturnType<typeof pc.createColors>

/** The streams for results (stdout) and messages (stderr), and their capabilities. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** True if stderr is a terminal on which a line can be redrawn. */
  readonly isLive: boolean
  readonly columns: number
  readonly colors: Colors
  readonly errColors: Colors
  /** Redraws the status line; '' removes it, as does any other output. Does nothing if stderr is not a terminal. */
  readonly status: StatusLine['draw']
}

/** The properties that formatted text depends on. */
export type TerminalStyle = Pick<Terminal, 'colors' | 'columns'>

/** Creates the terminal of the process. Respects NO_COLOR, FORCE_COLOR, CI and pipes. */
export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  const isLive = stderr.isTTY && !env['CI'] && env['TERM'] !== 'dumb'
  const status = isLive ? createStatusLine(stderr) : undefined
  return {
    out: (text) => {
      status?.clear()
      stdout.write(text)
    },
    err: (text) => {
      status?.clear()
      stderr.write(text)
    },
    isLive,
    get columns() {
      // It may be resized while a command runs.
      return Math.max(40, Math.min(stdout.columns ?? 80, 120))
    },
    colors: pc.createColors(mayColor(stdout.isTTY, env)),
    errColors: pc.createColors(mayColor(stderr.isTTY, env)),
    status: (text) => status?.draw(text),
  }
}

function mayColor(isTerminal: boolean | undefined, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTerminal === true && !env['CI'] && env['TERM'] !== 'dumb'
}

/** One line at the bottom of a terminal, redrawn in place. */
interface StatusLine {
  /** Draws the line; '' removes it. A function is called again for another width. Unchanged lines are not written. */
  readonly draw: (text: string | ((columns: number) => string)) => void
  /** Removes the line before something else is printed. */
  readonly clear: () => void
}

function createStatusLine(screen: Pick<NodeJS.WriteStream, 'write' | 'columns' | 'on'>): StatusLine {
  let requested: string | ((columns: number) => string) = ''
  let shown = ''
  const fitted = () => {
    const columns = (screen.columns ?? 80) - 1
    return typeof requested === 'string' ? requested.slice(0, columns) : requested(columns)
  }
  const draw: StatusLine['draw'] = (text) => {
    requested = text
    const line = fitted()
    if (line === shown) return
    // A single write that overwrites the old line, to avoid flicker.
    screen.write(line === '' ? '\r\u001b[K' : `\r${line}\u001b[K\r`)
    shown = line
  }
  screen.on('resize', () => {
    if (shown === '') return
    // A narrower terminal may have wrapped the line. The cursor is at its start, so all of it is after the cursor.
    shown = fitted()
    screen.write(`\r\u001b[J${shown}\r`)
  })
  return { draw, clear: () => draw('') }
}
