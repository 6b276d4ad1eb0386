import { onTestFailed } from 'vitest'

/** Shows what went on when the test fails. @param text asked for only then */
export function tellIfFailed(title: string, text: () => string): void {
  onTestFailed(() => void process.stderr.write(`${title}:\n${text()}\n`))
}
