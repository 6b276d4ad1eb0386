import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4e9

/** The tests make and remove some thousand folders, which a disk is slow at: they lie in memory where there is room. */
const BASE = process.env['TMPDIR'] === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(BASE, 'kb-sync-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}
