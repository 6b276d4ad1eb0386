import { relative, sep } from 'node:path'
import { findRepository } from '../../core/git/find-repository.ts'

/** The way from the repository's root, which may lie above the project, to the project: '' or ending in a slash. */
export function prefixInRepository(root: string): string {
  const path = relative(findRepository(root) ?? root, root)
    .split(sep)
    .join('/')
  return path === '' ? '' : `${path}/`
}
