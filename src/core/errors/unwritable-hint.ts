const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What to do where something under .kb could not be written. @param error what the operating system said */
export function unwritableHint(error: unknown): string {
  const hasNoRoom = error instanceof Error && 'code' in error && NO_ROOM.has(error.code)
  return hasNoRoom
    ? 'Free some disk space, and run the command again: it continues where this run stopped.'
    : 'Make the .kb folder and its contents writable for this user, and run the command again.'
}
