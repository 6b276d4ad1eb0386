/** Returns the code of an error of Node.js or a driver, such as `ENOENT`; undefined if there is none. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
