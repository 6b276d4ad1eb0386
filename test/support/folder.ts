import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

/** The tests make and remove some thousand folders, which a disk is slow at. */
const BASE = memoryFolder(4e9)

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(BASE, 'kb-sync-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
