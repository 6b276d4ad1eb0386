/** Whether a name in a path with `/` begins with a dot: nothing below such a one is read for an article. */
export function isHidden(source: string): boolean {
  return source.split('/').some((name) => name.startsWith('.'))
}
