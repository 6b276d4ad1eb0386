import { join, resolve } from 'node:path'
import { PROJECT_ROOT } from '../kb.mjs'
import { findMarkdown } from './find-markdown.mjs'
import { listMarkdown, writeFolderProject } from './folder-project.mjs'
import { keepAccepted } from './keep-accepted.mjs'
import { makeDocuments } from './make-documents.mjs'
import { writeProject } from './write-project.mjs'

/**
 * The documents to measure with: those of a folder as they are, or the Markdown of the installed npm packages.
 *
 * @returns `write(root, count)` writes a project of `count` documents; `documents` are those of npm packages, single and
 *   without links between them, for the rows that make articles of their own
 */
export function openCorpus(folder, scratch) {
  const found = findMarkdown(join(PROJECT_ROOT, 'node_modules'))
  const documents = keepAccepted(makeDocuments(found), join(scratch, 'candidates'))
  if (folder === undefined)
    return {
      name: `the Markdown of installed npm packages, copied under other titles beyond ${documents.length}`,
      documents,
      write: (root, count) => writeProject(root, documents, count),
    }
  const paths = listMarkdown(resolve(folder))
  return {
    name: `the first documents of ${folder} (${paths.length.toLocaleString('en-US')})`,
    documents,
    write: (root, count) => writeFolderProject(root, resolve(folder), paths, count),
  }
}
