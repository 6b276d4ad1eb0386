import { statSync } from 'node:fs'
import { join } from 'node:path'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'

/**
 * A project without its content folder is told so before anything is written.
 *
 * @throws KbError CONTENT_UNREADABLE where there is no such folder
 */
export function assertContentFolder(contentRoot: string): void {
  const stats = statSync(contentRoot, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) return
  const message =
    stats === undefined
      ? `There is no content folder ${contentRoot}.`
      : `The content folder ${contentRoot} is not a folder.`
  throw new KbError('CONTENT_UNREADABLE', message, {
    hint: 'Set "content" in kb.config.ts to the folder with your articles. kb init makes a new project.',
  })
}

/** Why a folder of the content could not be listed. @param consequence a sentence, such as `Nothing was sent.` */
export function explainUnreadableFolder(
  contentRoot: string,
  folder: string,
  { cause, consequence }: { readonly cause: unknown; readonly consequence: string },
): KbError {
  const message = `The content folder ${join(contentRoot, folder)} could not be read: ${reasonWithoutPath(cause)}. ${consequence}`
  return new KbError('CONTENT_UNREADABLE', message, {
    hint: 'Make it readable for this user, or set "content" in kb.config.ts to another folder.',
    cause,
  })
}
