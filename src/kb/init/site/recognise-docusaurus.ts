import { join } from 'node:path'
import { isFolder } from '../../../core/is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'
import { findText, readScript } from '../../../core/config/script-values.ts'

/** Where Docusaurus keeps documents unless its configuration says otherwise. */
const CONTENT = 'docs'

export function recogniseDocusaurus(root: string): RecognisedSite | undefined {
  const config = readScript(join(root, 'docusaurus.config'))
  if (config === undefined || !isFolder(join(root, CONTENT))) return undefined
  // Its translations lie in a folder of their own.
  return {
    preset: 'docusaurus',
    content: CONTENT,
    language: findText(config, 'defaultLocale'),
    languages: [],
  }
}
