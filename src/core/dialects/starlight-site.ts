import { basename, dirname, join } from 'node:path'
import { isFolder } from '../paths.ts'
import { isRecord } from '../is-record.ts'
import type { SiteReader } from './dialect.ts'
import { blocksBehind, findLiteral, findScript, findText, hasLocale, readScript } from './script-values.ts'
import { listNavigation, type NavigationItem, navigationOf, untitledItem } from './site-navigation.ts'
import { basePathOf, foldersAbove, foldersIn, sourcesOf, PLAIN_SITE } from './site-folders.ts'

const CONFIG = 'astro.config'

export const starlightSite: SiteReader = {
  readSite: (folders) => {
    const { contentRoot } = folders
    const home = foldersAbove(folders).find((folder) => findScript(join(folder, CONFIG)) !== undefined)
    const script = home === undefined ? '' : (readScript(join(home, CONFIG)) ?? '')
    const entries = listNavigation(sidebarItems(findLiteral(script, 'sidebar', NEEDED)))
    const configFile = home === undefined ? undefined : findScript(join(home, CONFIG))
    return {
      site: {
        ...PLAIN_SITE,
        rootFolders: sourcesOf(
          [findText(script, 'publicDir') ?? 'public'],
          home ?? dirname(contentRoot),
          contentRoot,
        ),
        isComplete: home !== undefined,
        imageFolders: sourcesOf(['src/assets'], home ?? dirname(contentRoot), contentRoot),
        basePath: basePathOf(findText(script, 'base')),
        navigation: navigationOf(entries, configFile, contentRoot),
      },
      configFiles: configFile === undefined ? [] : [configFile],
    }
  },
  recognise: (root, content) => {
    const config = readStarlight(root)
    if (config === undefined || !isFolder(join(root, content))) return undefined
    const script = `${config}\n${readLocales(config, root) ?? ''}`
    const folders = foldersIn(join(root, content)).map((each) => basename(each))
    const [, language] = /(?<![\w$-])root\s*:\s*\{[^{}]*(?<![\w$])lang\s*:\s*["'`]([\w-]+)/.exec(script) ?? []
    return {
      content,
      // Undefined if the title is an object with one title per language.
      name: findText(blocksBehind(script, /(?<![\w$])starlight\s*\(\s*(?=\{)/g)[0] ?? '', 'title'),
      language: language ?? findText(script, 'defaultLocale'),
      languages: folders.filter((name) => hasLocale(script, name)),
    }
  },
  findConfig: (root) => {
    const file = readStarlight(root) === undefined ? undefined : findScript(join(root, CONFIG))
    return file === undefined ? undefined : basename(file)
  },
}

const NEEDED = ['label', 'slug', 'items', 'autogenerate', 'directory']

/** Collects slugs of pages, groups with a label, and folders whose pages are all listed. */
function sidebarItems(items: unknown): NavigationItem[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown): NavigationItem[] => {
    if (typeof item === 'string') return [untitledItem('page', item)]
    if (!isRecord(item)) return []
    const { label, slug, autogenerate } = item
    if (typeof slug === 'string') return [untitledItem('page', slug)]
    const folder = isRecord(autogenerate) ? autogenerate['directory'] : undefined
    const inner: NavigationItem[] =
      typeof folder === 'string' ? [untitledItem('folder', folder)] : sidebarItems(item['items'])
    return typeof label === 'string' ? [{ kind: 'section', name: label, items: inner }] : inner
  })
}

/** Reads the script from which the configuration imports its locales. */
function readLocales(config: string, root: string): string | undefined {
  const [, name = 'locales'] = /(?<![\w$])locales\s*:\s*([\w$]+)/.exec(config) ?? []
  const imported = new RegExp(String.raw`import\s*\{[^}]*(?<![\w$])${name}\s*[,}][^'"]*["'](\.[^'"]+)["']`)
  const path = imported.exec(config.replaceAll('$', ''))?.[1]
  return path === undefined ? undefined : readScript(join(root, path.replace(/\.[cm]?[jt]s$/, '')))
}

/** Reads the configuration of a folder. A site without this theme has a file with the same name. */
function readStarlight(root: string): string | undefined {
  const script = readScript(join(root, CONFIG))
  return script?.includes('@astrojs/starlight') === true ? script : undefined
}
