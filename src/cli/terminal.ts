import pc from 'picocolors'

type Colors = ReturnType<typeof pc.createColors>

/** Where results (stdout) and messages (stderr) go, and what the place can show. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether stderr is a terminal on which a line can be redrawn. */
  readonly isLive: boolean
  readonly columns: number
  readonly colors: Colors
  readonly errColors: Colors
  /** Redraws the status line; '' removes it. Does nothing where stderr is not a terminal. */
  readonly status: (text: string) => void
}

/** The process's own terminal. NO_COLOR, FORCE_COLOR, CI and pipes are respected. */
export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  const isLive = stderr.isTTY && !env['CI'] && env['TERM'] !== 'dumb'
  let hasStatus = false
  const clear = () => {
    if (hasStatus) stderr.write('\r\u001b[K')
    hasStatus = false
  }
  return {
    out: (text) => {
      clear()
      stdout.write(text)
    },
    err: (text) => {
      clear()
      stderr.write(text)
    },
    isLive,
    columns: Math.max(40, Math.min(stdout.columns ?? 80, 120)),
    colors: pc.createColors(mayColor(stdout.isTTY, env)),
    errColors: pc.createColors(mayColor(stderr.isTTY, env)),
    status: (text) => {
      if (!isLive) return
      clear()
      if (text !== '') stderr.write(text.slice(0, (stderr.columns ?? 80) - 1))
      hasStatus = text !== ''
    },
  }
}

function mayColor(isTerminal: boolean | undefined, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTerminal === true && !env['CI'] && env['TERM'] !== 'dumb'
}
