import { withoutNumber } from './number-prefix.ts'

/** `01-getting-started` as a name that people read: `Getting started`. */
export function humanise(name: string): string {
  const words = withoutNumber(name)
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
