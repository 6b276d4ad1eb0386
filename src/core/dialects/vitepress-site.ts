import { basename, join, posix } from 'node:path'
import { isFolder } from '../paths.ts'
import type { SiteReader } from './dialect.ts'
import { findAnyTexts, findScript, findText, hasLocale, readScript } from './script-values.ts'
import { foldersAbove, foldersIn, isBelow, basePathOf, PLAIN_SITE } from './site-folders.ts'

export const vitepressSite: SiteReader = {
  readSite: (folders) => {
    const configFile = foldersAbove(folders)
      .map(findConfig)
      .find((each) => each !== undefined)
    const script = configFile === undefined ? '' : (readScript(configFile.replace(/\.\w+$/, '')) ?? '')
    return {
      // Vite also resolves root-relative URLs to files of the folder itself.
      site: {
        ...PLAIN_SITE,
        rootFolders: ['public', '.'],
        isComplete: !script.includes('publicDir'),
        basePath: basePathOf(findText(script, 'base')),
        exclude: findAnyTexts(script, 'srcExclude'),
      },
      configFiles: configFile === undefined ? [] : [configFile],
    }
  },
  // Its folder is the project's, or one directly below: usually `docs`.
  recognise: (root) => {
    for (const folder of ['.', 'docs', ...namesIn(root)]) {
      const file = findConfig(join(root, folder))
      if (file === undefined) continue
      const config = readScript(file.replace(/\.\w+$/, '')) ?? ''
      const content = posix.join(folder, findText(config, 'srcDir') ?? '.').replace(/(?<=.)\/$/, '')
      if (!isBelow(content) || !isFolder(join(root, content))) continue
      const folders = namesIn(join(root, content))
      const languages = folders.filter((name) => hasLocale(config, name))
      const language = findText(config, 'lang')
      // Its texts may be in a folder like those of the others, which rewrites remove from URLs: `en-US` is `en`.
      const own =
        languages.length === 0 ? undefined : folders.find((name) => name === language?.replace(/-.*$/, ''))
      return { content, name: findText(config, 'title'), language: own ?? language, languages }
    }
    return undefined
  },
}

/** The configuration of a site's folder: a script, or a folder with one. */
function findConfig(folder: string): string | undefined {
  const config = join(folder, '.vitepress', 'config')
  return findScript(config) ?? findScript(join(config, 'index'))
}

function namesIn(folder: string): string[] {
  return foldersIn(folder).map((each) => basename(each))
}
