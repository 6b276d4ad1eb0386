import type { FrontmatterData } from '../../core/model/frontmatter-mapping.ts'

export interface FoundKey {
  /** Keys as they are written. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Finds a key in frontmatter. @param folds whether its upper and lower case do not matter */
export function findKey(data: FrontmatterData, key: string, folds: boolean): FoundKey | undefined {
  const written = Object.hasOwn(data, key) ? key : folds ? Object.keys(data).find(isAlike(key)) : undefined
  return written === undefined ? undefined : { path: [written], value: data[written] }
}

function isAlike(key: string): (other: string) => boolean {
  return (other) => other.toLowerCase() === key.toLowerCase()
}
