import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC:
    'Raise the limit with "sudo sysctl fs.inotify.max_user_watches=524288", or close programs that watch many files.',
  EMFILE: 'Raise the limit of open files with "ulimit -n 4096", or close programs that watch many files.',
  ENFILE: 'Close programs that have many files open.',
}

/** What a watcher's error means for the watch: undefined where the rest is watched all the same. */
export function explainWatchFailure(error: unknown): KbError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const hint = HINTS[code]
  // A folder that may not be read, say: reading the content tells.
  if (hint === undefined) return undefined
  return new KbError('WATCH_FAILED', `The files cannot be watched: ${reasonWithoutPath(error)}.`, {
    hint: `${hint} With CHOKIDAR_USEPOLLING=1 in the environment, kb watch asks for each file in turn instead.`,
    cause: error,
  })
}
