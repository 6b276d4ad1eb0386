import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** How the names of folders begin in which this process prepares a restore of `file`; beside it, where there is room. */
export function workFolderPrefix(file: string): string {
  return `${file}-restore-${process.pid}-`
}

/** Removes what restores of `file` have left behind whose process was killed. */
export function sweepWork(file: string): void {
  const begin = `${basename(file)}-restore-`
  for (const name of readdirSync(dirname(file))) {
    const pid = Number(/^(\d+)-/.exec(name.slice(begin.length))?.[1])
    if (name.startsWith(begin) && Number.isInteger(pid) && !isAlive(pid)) {
      rmSync(join(dirname(file), name), { recursive: true, force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
