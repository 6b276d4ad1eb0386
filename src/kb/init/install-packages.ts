import { reasonOf } from '../../core/errors/kb-error.ts'
import { findUpwards, PACKAGE_FILE } from './find-upwards.ts'
import { type PackageManager, commandsOf } from './package-manager.ts'

/** What became of the installation; `command` is what does it by hand. */
export type Installation =
  | { readonly kind: 'done'; readonly command: string }
  /** kb-sync can be found from the project already. */
  | { readonly kind: 'present' }
  | { readonly kind: 'unwanted'; readonly command: string }
  /** `reason` may be many lines of a package manager. */
  | { readonly kind: 'failed'; readonly command: string; readonly reason: string }

/** Installs what package.json lists, kb-sync among it. That it fails is an outcome: all files are written by then. */
export async function installPackages(root: string, manager: PackageManager): Promise<Installation> {
  const { install: command } = commandsOf(manager)
  try {
    const { installDependencies } = await import('nypm')
    await installDependencies({ cwd: root, packageManager: manager.name, silent: true })
    if (isThere(root)) return { kind: 'done', command }
    return {
      kind: 'failed',
      command,
      reason: `${command} has left it out; does it leave out devDependencies?`,
    }
  } catch (error) {
    return { kind: 'failed', command, reason: reasonOf(error) }
  }
}

/** The later yarn keeps packages in archives, where only its own programs find them. */
function isThere(root: string): boolean {
  return [PACKAGE_FILE, '.pnp.cjs'].some((name) => findUpwards(root, undefined, name) !== undefined)
}
