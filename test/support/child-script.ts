import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface ChildScript {
  readonly process: ChildProcess
  readonly lines: AsyncIterable<string>
  readonly exited: Promise<unknown>
}

/** Runs a script as a process of its own, TypeScript with jiti; it is killed when the test is over. */
export function startScript(file: string, ...args: readonly string[]): ChildScript {
  const loader = file.endsWith('.ts') ? ['--import', 'jiti/register'] : []
  const child = spawn(process.execPath, [...loader, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  return { process: child, lines, exited: once(child, 'exit') }
}
