import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../support/folder.ts'

export interface EditorScript {
  /** The arguments of each start so far. */
  readonly calls: () => readonly (readonly string[])[]
  /** Resolves when the program was started. */
  readonly started: Promise<void>
}

/** A real program that records its arguments: the author's editor until the end of the test. */
export function useEditorScript(): EditorScript {
  const folder = temporaryFolder()
  const [command, log] = [join(folder, 'my editor'), join(folder, 'log')]
  const note = `require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)) + '\\n')`
  writeFileSync(command, `#!${process.execPath}\n${note}\n`)
  chmodSync(command, 0o755)
  vi.stubEnv('LAUNCH_EDITOR', command)
  onTestFinished(() => void vi.unstubAllEnvs())
  const text = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  const started = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => text().endsWith('\n') && resolve())
    onTestFinished(() => watcher.close())
  })
  const calls = () =>
    text()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as string[]]))
  return { calls, started }
}
