/** One line at the bottom of a terminal, drawn over and over in its place. */
export interface StatusLine {
  /** Draws it; '' removes it. A function is asked again for another width. Nothing is written where nothing differs. */
  readonly draw: (text: string | ((columns: number) => string)) => void
  /** Removes it, before something else is printed. */
  readonly clear: () => void
}

/** What is needed of a terminal's stream. */
type Screen = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'on'>

export function createStatusLine(screen: Screen): StatusLine {
  let wanted: string | ((columns: number) => string) = ''
  let shown = ''
  const fitted = () => {
    const columns = (screen.columns ?? 80) - 1
    return typeof wanted === 'string' ? wanted.slice(0, columns) : wanted(columns)
  }
  const draw: StatusLine['draw'] = (text) => {
    wanted = text
    const line = fitted()
    if (line === shown) return
    // In one piece, and over what is there: nothing flickers.
    screen.write(line === '' ? '\r\u001b[K' : `\r${line}\u001b[K\r`)
    shown = line
  }
  screen.on('resize', () => {
    if (shown === '') return
    // A narrower terminal may have broken the line; the cursor was left at its beginning, so all of it lies ahead.
    shown = fitted()
    screen.write(`\r\u001b[J${shown}\r`)
  })
  return { draw, clear: () => draw('') }
}
