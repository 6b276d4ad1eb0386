import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../core/errors/kb-error.ts'

/** A package manager that kb-sync supports. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** True for Yarn 2 and later, which is a different program from Yarn 1. */
  readonly isBerry: boolean
  /** True if package.json pins the version, so that no other place may. */
  readonly isPinned: boolean
}

interface ManagerCommands {
  /** Installs exactly the versions in the lock file. */
  readonly ci: string
  readonly install: string
  /** Runs a program of the project; followed by a space and its name. */
  readonly exec: string
  /** Adds a development dependency; followed by a space and the package. */
  readonly add: string
  readonly lockFile: string
}

const COMMANDS: Readonly<Record<PackageManager['name'], ManagerCommands>> = {
  npm: {
    ci: 'npm ci',
    install: 'npm install',
    exec: 'npx',
    add: 'npm install --save-dev',
    lockFile: 'package-lock.json',
  },
  pnpm: {
    ci: 'pnpm install --frozen-lockfile',
    install: 'pnpm install',
    exec: 'pnpm exec',
    add: 'pnpm add --save-dev',
    lockFile: 'pnpm-lock.yaml',
  },
  yarn: {
    ci: 'yarn install --frozen-lockfile',
    install: 'yarn install',
    exec: 'yarn',
    add: 'yarn add --dev',
    lockFile: 'yarn.lock',
  },
  bun: {
    ci: 'bun install --frozen-lockfile',
    install: 'bun install',
    exec: 'bunx',
    add: 'bun add --dev',
    lockFile: 'bun.lock',
  },
}

export const NPM: PackageManager = { name: 'npm', isBerry: false, isPinned: false }

/** Returns the commands of a package manager, for users and pipelines. */
export function commandsOf({ name, isBerry }: PackageManager): ManagerCommands {
  return isBerry ? { ...COMMANDS[name], ci: 'yarn install --immutable' } : COMMANDS[name]
}

export function isKnownManager(name: string): name is PackageManager['name'] {
  return Object.hasOwn(COMMANDS, name)
}

/** The result of the installation. `command` installs manually. */
export type Installation =
  | { readonly kind: 'done'; readonly command: string }
  /** kb-sync already resolves from the project. */
  | { readonly kind: 'present' }
  | { readonly kind: 'unwanted'; readonly command: string }
  /**
   * `reason` is the package manager's output, which can have many lines. If the registry does not have kb-sync,
   * `command` installs a packed file named `packedFile`.
   */
  | {
      readonly kind: 'failed'
      readonly command: string
      readonly reason: string
      readonly packedFile?: string
    }

/** Installs the dependencies in package.json, including kb-sync. A failure is a result: all files are written. */
export async function installPackages(
  root: string,
  manager: PackageManager,
  version: string,
): Promise<Installation> {
  const { install: command, add } = commandsOf(manager)
  try {
    const { installDependencies } = await import('nypm')
    await installDependencies({ cwd: root, packageManager: manager.name, silent: true })
    if (isThere(root)) return { kind: 'done', command }
    return { kind: 'failed', command, reason: `${command} did not install it; does it skip devDependencies?` }
  } catch (error) {
    const reason = reasonOf(error)
    if (!UNPUBLISHED.test(reason)) return { kind: 'failed', command, reason }
    const packedFile = `kb-sync-${version}.tgz`
    return { kind: 'failed', command: `${add} PATH/${packedFile}`, reason, packedFile }
  }
}

/** The messages of npm, pnpm, Yarn and Bun. */
const UNPUBLISHED = /(?:404|(?:not|n['’]t) find).*\bkb-sync\b|\bkb-sync\b.*(?:404|not found)/i

/** Yarn 2 and later keeps packages in archives that only its own programs can read. */
function isThere(root: string): boolean {
  return [PACKAGE_FILE, '.pnp.cjs'].some((name) => findUpwards(root, undefined, name) !== undefined)
}

/** Returns the nearest folder, from `folder` up to `top` (or the root of the file system), that contains `name`. */
export function findUpwards(folder: string, top: string | undefined, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const above = dirname(folder)
  return folder === top || above === folder ? undefined : findUpwards(above, top, name)
}

/** Path of our manifest below a folder with packages. */
export const PACKAGE_FILE = 'node_modules/kb-sync/package.json'
