/** A package manager that projects of kb-sync are known to work with. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Yarn from its second version on is another program than the first. */
  readonly isBerry: boolean
  /** Whether package.json names the version, so that nobody else may. */
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
