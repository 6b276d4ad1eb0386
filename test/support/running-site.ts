import type { RunningCommand } from './project.ts'

export interface RunningSite extends RunningCommand {
  /** What it has printed, stdout and stderr as they came. */
  readonly output: () => string
  /**
   * Resolves once the output has a match, which may be there already.
   *
   * @param from length of the output before which nothing counts; default: all of it
   */
  readonly waitFor: (pattern: RegExp, from?: number) => Promise<RegExpExecArray>
}

/** Listens to a command that keeps running. */
export function watchOutput(command: RunningCommand): RunningSite {
  let text = ''
  const waiting = new Set<() => void>()
  for (const stream of [command.process.stdout, command.process.stderr]) {
    stream?.on('data', (part: string) => {
      text += part
      for (const look of waiting) look()
    })
  }
  const waitFor: RunningSite['waitFor'] = (pattern, from = 0) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text.slice(from))
        if (found === null) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      void command.ended.then(({ code }) => {
        waiting.delete(look)
        reject(new Error(`It ended with ${code} before it printed ${String(pattern)}:\n${text}`))
      })
    })
  return { ...command, output: () => text, waitFor }
}
