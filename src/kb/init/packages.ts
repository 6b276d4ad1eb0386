import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../core/errors/kb-error.ts'

/** A package manager that projects of kb-sync are known to work with. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Yarn from its second version on is another program than the first. */
  readonly isBerry: boolean
  /** Whether package.json names the version, so that no one else may. */
  readonly isPinned: boolean
}

interface ManagerCommands {
  /** Installs what the lock file says, and nothing else. */
  readonly ci: string
  readonly install: string
  /** Runs a program of the project; a space and its name follow. */
  readonly exec: string
  readonly lockFile: string
}

const COMMANDS: Readonly<Record<PackageManager['name'], ManagerCommands>> = {
  npm: { ci: 'npm ci', install: 'npm install', exec: 'npx', lockFile: 'package-lock.json' },
  pnpm: {
    ci: 'pnpm install --frozen-lockfile',
    install: 'pnpm install',
    exec: 'pnpm exec',
    lockFile: 'pnpm-lock.yaml',
  },
  yarn: {
    ci: 'yarn install --frozen-lockfile',
    install: 'yarn install',
    exec: 'yarn',
    lockFile: 'yarn.lock',
  },
  bun: { ci: 'bun install --frozen-lockfile', install: 'bun install', exec: 'bunx', lockFile: 'bun.lock' },
}

export const NPM: PackageManager = { name: 'npm', isBerry: false, isPinned: false }

/** How people and pipelines speak to a package manager. */
export function commandsOf({ name, isBerry }: PackageManager): ManagerCommands {
  return isBerry ? { ...COMMANDS[name], ci: 'yarn install --immutable' } : COMMANDS[name]
}

export function isKnownManager(name: string): name is PackageManager['name'] {
  return Object.hasOwn(COMMANDS, name)
}

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
    return { kind: 'failed', command, reason: `${command} did not install it; does it skip devDependencies?` }
  } catch (error) {
    return { kind: 'failed', command, reason: reasonOf(error) }
  }
}

/** The later yarn keeps packages in archives, where only its own programs find them. */
function isThere(root: string): boolean {
  return [PACKAGE_FILE, '.pnp.cjs'].some((name) => findUpwards(root, undefined, name) !== undefined)
}

/** The nearest folder, from `folder` up to `top` (or the file system's root), that has `name`. */
export function findUpwards(folder: string, top: string | undefined, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const above = dirname(folder)
  return folder === top || above === folder ? undefined : findUpwards(above, top, name)
}

/** Our manifest, as package managers put it below a folder. */
export const PACKAGE_FILE = 'node_modules/kb-sync/package.json'
