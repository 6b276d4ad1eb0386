import { type Dirent, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'

/**
 * Throws if there is no content folder, before anything is written.
 *
 * @param isProject false without a configuration, when the folder is probably not a project
 * @throws KbError CONTENT_UNREADABLE
 */
export function assertContentFolder(contentRoot: string, isProject = true): void {
  const stats = statSync(contentRoot, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) return
  if (stats === undefined && !isProject)
    throw new KbError(
      'CONTENT_UNREADABLE',
      `${dirname(contentRoot)} is not a kb-sync project: it has no folder content, and neither it nor a folder above has a kb.config.ts.`,
      { hint: 'To make it a project, run npx kb-sync init. To use another folder, run kb with --cwd DIR.' },
    )
  const message =
    stats === undefined
      ? `There is no content folder ${contentRoot}.`
      : `The content folder ${contentRoot} is not a folder.`
  throw new KbError('CONTENT_UNREADABLE', message, {
    hint: 'Set "content" in kb.config.ts to the folder with your articles. To make a new project, run npx kb-sync init.',
  })
}

/**
 * Returns the entries of a folder in the content; '' is the content folder.
 *
 * @param consequence of a failure, a sentence such as `Nothing was sent.`
 * @throws KbError CONTENT_UNREADABLE
 */
export function readContentFolder(contentRoot: string, folder: string, consequence: string): Dirent[] {
  try {
    return readdirSync(join(contentRoot, folder), { withFileTypes: true })
  } catch (cause) {
    if (folder === '') assertContentFolder(contentRoot)
    const message = `The content folder ${join(contentRoot, folder)} could not be read: ${reasonWithoutPath(cause)}. ${consequence}`
    throw new KbError('CONTENT_UNREADABLE', message, {
      hint: 'Make it readable for this user, or set "content" in kb.config.ts to another folder.',
      cause,
    })
  }
}
