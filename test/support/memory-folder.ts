import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'

/** Returns a folder in memory if it has room for so many bytes, else that of the system, which TMPDIR may name. */
export function memoryFolder(roomBytes: number): string {
  return process.env['TMPDIR'] === undefined && hasRoom(roomBytes) ? MEMORY : tmpdir()
}

function hasRoom(roomBytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= roomBytes
  } catch {
    return false
  }
}
