import type { FileStore } from '../store/file-store.ts'

interface CollectorParts {
  readonly store: FileStore
  readonly clock: () => Date
  /** How long an unused file is kept, in milliseconds. */
  readonly graceMs: number
  readonly onError: (error: unknown) => void
}

const HOUR_MS = 3_600_000

/** Maximum time of an upload: 180 MB at the lowest rate. */
const UPLOAD_MS = 6 * HOUR_MS

/**
 * Removes unused files at start, and then at intervals. Several processes may do so on one database. Does not keep the
 * process alive.
 *
 * @returns a function that stops it, after the removal in progress
 */
export function startFileCollector({ store, clock, graceMs, onError }: CollectorParts): () => Promise<void> {
  const collect = async () => {
    const before = (ms: number) => new Date(clock().getTime() - ms).toISOString()
    await store.removeUnusedFiles(before(graceMs), before(UPLOAD_MS)).catch(onError)
  }
  let running = collect()
  const timer = setInterval(() => void (running = running.then(collect)), HOUR_MS).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
