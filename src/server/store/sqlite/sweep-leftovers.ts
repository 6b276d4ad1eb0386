import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes from `folder` what processes have left behind that were killed at work.
 *
 * @param begin how the names of such files and folders begin
 * @param rest matches how they go on; its first group is the id of the process
 */
export function sweepLeftovers(folder: string, begin: string, rest: RegExp): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(begin) ? rest.exec(name.slice(begin.length))?.[1] : undefined
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(folder, name), { recursive: true, force: true })
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
