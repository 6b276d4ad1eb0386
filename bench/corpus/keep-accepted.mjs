import { basename } from 'node:path'
import { readCheck } from '../kb.mjs'
import { writeProject } from './write-project.mjs'

/** Those of `documents` that `kb check` has no error for; `folder` is used up. */
export function keepAccepted(documents, folder) {
  const { root } = writeProject(folder, documents, documents.length)
  const rejected = new Set(
    readCheck(root)
      .filter(({ severity }) => severity === 'error')
      .map(({ file }) => basename(file)),
  )
  return documents.filter(({ name }) => !rejected.has(`${name}-1.md`))
}
