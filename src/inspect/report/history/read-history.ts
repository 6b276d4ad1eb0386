import { readFile } from 'node:fs/promises'
import { historySchema } from './history-schema.ts'
import { NO_HISTORY, type ReportHistory } from './report-history.ts'

/** What earlier reports found; a file that is missing, damaged or of another version is no history. */
export async function readHistory(file: string): Promise<ReportHistory> {
  try {
    const { points, last } = historySchema.parse(JSON.parse(await readFile(file, 'utf8')))
    return { points, last }
  } catch {
    return NO_HISTORY
  }
}
