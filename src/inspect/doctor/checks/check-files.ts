import type { Settings } from '../../../core/config/settings.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { assertContentFolder } from '../../../content/source/content-folder.ts'
import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import { type Diagnostic, isError } from '../../../core/model/diagnostic.ts'
import { contentPrefix } from '../../../core/paths.ts'
import { findContent, openContent } from '../../../sync/open-content.ts'
import { failure, failureOf, type Finding, guarded, ok, skipped, unknown, warning } from '../finding.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { workspaceOf } from '../../../sync/state/workspace.ts'
import { formatBytes } from '../../../core/quantities.ts'

export interface CheckedFiles {
  readonly findings: readonly Finding[]
  /** Undefined if the files could not be read. */
  readonly content: Pick<LoadedContent, 'articles' | 'taxonomy' | 'readHtml'> | undefined
  /** Closes the cache: then `readHtml` no longer works. */
  readonly close: () => void
}

/** Reads, checks and renders everything, without writing to the project. */
export async function checkFiles(settings: Settings, signal: AbortSignal | undefined): Promise<CheckedFiles> {
  const folder = contentPrefix(settings)
  try {
    assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
    const found = await findContent(settings)
    const { content, cache } = await openContent(settings, found, { signal, leavesNoTrace: true })
    const articles = found.articles.filter(({ source }) => !content.pages.has(source))
    const count = pluralize(articles.length, 'article')
    const folderFinding =
      articles.length === 0
        ? warning('files.content', `${folder} contains no article.`, 'Check content, include and exclude.')
        : ok('files.content', `${folder} contains ${count}`)
    return { findings: [folderFinding, judgeProblems(content.diagnostics)], content, close: cache.close }
  } catch (error) {
    const isOfFolder = error instanceof KbError && error.code === 'CONTENT_UNREADABLE'
    const findings = isOfFolder
      ? [failureOf('files.content', error), skipped('files.problems', 'the files could not be read')]
      : [failureOf('files.problems', error)]
    return { findings, content: undefined, close: () => undefined }
  }
}

function judgeProblems(diagnostics: readonly Diagnostic[]): Finding {
  const errors = diagnostics.filter(isError)
  const [first] = errors.length > 0 ? errors : diagnostics
  if (first === undefined) return ok('files.problems', 'no errors and no warnings')
  const warnings = diagnostics.length - errors.length
  const parts = [
    ...(errors.length > 0 ? [pluralize(errors.length, 'error')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  const consequence = errors.length > 0 ? ' Nothing is sent until the errors are fixed.' : ''
  const message = `${parts.join(' and ')}, the first in ${first.file}:${first.line}: ${first.message}${consequence}`
  const make = errors.length > 0 ? failure : warning
  return make('files.problems', message, 'kb check shows every problem in the files.')
}

/** Free space below which state, cache and backups may soon fill the disk. */
const LITTLE_SPACE_BYTES = 200_000_000

/** Checks the folder .kb/ of a project by its permissions. Writes nothing. */
export async function checkWorkspace(root: string, platform: NodeJS.Platform): Promise<Finding[]> {
  return [
    guarded('workspace.folder', () => checkFolder(root)),
    guarded('workspace.ignored', () => checkIgnored(root)),
    await checkSpace(root),
    guarded('workspace.key-file', () => checkKeyFile(root, platform)),
  ].flat()
}

function checkFolder(root: string): Finding {
  const { folder, stateFolder } = workspaceOf(root)
  if (!existsSync(folder)) {
    return mayWrite(root)
      ? ok('workspace.folder', 'there is no .kb folder yet; the first run creates it')
      : failure(
          'workspace.folder',
          `The folder ${root} is not writable.`,
          'Make it writable, or run kb in a copy of the project.',
        )
  }
  const wrong = [folder, stateFolder].find((path) => existsSync(path) && !isWritableFolder(path))
  return wrong === undefined
    ? ok('workspace.folder', '.kb is writable')
    : failure('workspace.folder', `${wrong} is not a writable folder.`, 'Make it a folder that you own.')
}

function isWritableFolder(path: string): boolean {
  return statSync(path).isDirectory() && mayWrite(path)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function checkIgnored(root: string): Finding {
  const { folder } = workspaceOf(root)
  if (!existsSync(folder)) return skipped('workspace.ignored', 'there is no .kb folder yet')
  return existsSync(join(folder, '.gitignore'))
    ? ok('workspace.ignored', '.kb has its own .gitignore, which keeps it out of git')
    : warning(
        'workspace.ignored',
        '.kb has no .gitignore, so its database and keys may end up in git.',
        'The next kb sync writes one.',
      )
}

async function checkSpace(root: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(root)
    return judgeSpace(bavail * bsize)
  } catch (error) {
    return unknown('workspace.space', `the free disk space is unknown: ${reasonOf(error)}`)
  }
}

export function judgeSpace(freeBytes: number): Finding {
  const message = `${formatBytes(freeBytes)} of disk space is free`
  return freeBytes >= LITTLE_SPACE_BYTES
    ? ok('workspace.space', message)
    : warning('workspace.space', `Only ${message}.`, 'Free some space: a full disk interrupts a sync.')
}

/** Checks the permissions of the key file. Windows does not have these modes. */
function checkKeyFile(root: string, platform: NodeJS.Platform): Finding[] {
  const { apiKeyFile } = workspaceOf(root)
  if (!existsSync(apiKeyFile) || platform === 'win32') return []
  const { mode } = statSync(apiKeyFile)
  if ((mode & 0o077) === 0) return [ok('workspace.key-file', 'only its owner may read .kb/api-key')]
  return [
    warning(
      'workspace.key-file',
      `other users may read .kb/api-key (mode ${(mode & 0o777).toString(8)}).`,
      'chmod 600 .kb/api-key',
    ),
  ]
}
