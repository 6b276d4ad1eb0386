// A project in a temporary folder whose files are moved and created in this process.
import { join } from 'node:path'
import { createArticle } from '../../src/authoring/create/create-article.ts'
import type { CreatedArticle, CreateOptions } from '../../src/authoring/create/create-options.ts'
import { moveSource } from '../../src/authoring/move/move-source.ts'
import type { MoveFilesOptions, MoveResult } from '../../src/authoring/move/move-options.ts'
import type { KbConfig } from '../../src/core/config/schema.ts'
import { normaliseConfig, type Settings } from '../../src/core/config/settings.ts'
import { runCheck } from '../../src/inspect/check/run-check.ts'
import { contentFolder, type Files } from '../content/load-files.ts'
import { readTree } from './pull/pull-project.ts'

export interface AuthoringProject {
  readonly root: string
  readonly settings: Settings
  readonly move: (from: string, to: string, options?: Partial<MoveFilesOptions>) => Promise<MoveResult>
  readonly create: (title: string, options?: Partial<CreateOptions>) => Promise<CreatedArticle>
  /** Returns codes and files of the diagnostics of `kb check`. */
  readonly check: () => Promise<string[]>
  /** Returns every file of the content folder by path, as UTF-8 text. */
  readonly contents: () => Record<string, string>
}

/** @param files by path under `content/` */
export function createAuthoringProject(files: Files, config: KbConfig = {}): AuthoringProject {
  const inContent = Object.entries(files).map(([name, content]) => [`content/${name}`, content])
  const root = contentFolder(Object.fromEntries(inContent) as Files)
  const settings = settingsOf(root, config)
  return {
    root,
    settings,
    move: (from, to, options) => moveSource({ settings, cwd: root, from, to, ...options }),
    create: (title, options) => createArticle({ settings, cwd: root, title, ...options }),
    check: async () => {
      // Images are only moved here, and other pages of a site stay in place.
      const rules = { 'asset-unused': 'off', 'site-address': 'off', ...settings.rules } as const
      const quiet = { ...settings, rules }
      const { diagnostics } = await runCheck({ settings: quiet })
      return diagnostics.map(({ code, file }) => `${code} ${file}`)
    },
    contents: () =>
      Object.fromEntries(
        Object.entries(readTree(join(root, 'content'))).map(([name, latin]) => [
          name.replaceAll('\\', '/'),
          Buffer.from(latin, 'latin1').toString('utf8'),
        ]),
      ),
  }
}

export function settingsOf(root: string, config: KbConfig = {}): Settings {
  return normaliseConfig(config, {
    root,
    configFile: undefined,
    packageName: undefined,
    programVersion: 'test',
  })
}
