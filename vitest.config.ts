import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { DurationReporter, DurationSequencer } from './test/support/durations.ts'

const BROWSER = ['test/**/*.browser.test.ts']
const PROCESSES = ['test/**/*.process.test.ts', 'test/e2e/**/*.test.ts']
const POSTGRES = ['test/**/*.postgres.test.ts']
const PACKAGE = ['test/package/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/constant-seed.ts'],
    // One more than processors, since tests wait for processes and clocks: more would load every module once more.
    maxWorkers: availableParallelism() + 1,
    // Tests reach the loopback address alone, and to load a machine's certificates takes each process as long as to start.
    // A test that starts npm reads what it says, no matter how quiet the npm is that started the tests.
    env: { NODE_EXTRA_CA_CERTS: '', npm_config_loglevel: 'notice' },
    sequence: { sequencer: DurationSequencer },
    reporters:
      process.env.npm_lifecycle_event === 'durations' ? ['default', new DurationReporter()] : ['default'],
    // No module keeps state of its own, so the files of a worker share what is loaded.
    isolate: false,
    // What one project has transformed, another one and the next run find again.
    experimental: { fsModuleCache: true },
    // What is built is loaded by Node.js, as users load it.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          pool: 'threads',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...BROWSER, ...PROCESSES, ...POSTGRES, ...PACKAGE],
        },
      },
      // The package as npm installs it: `npm run package`, not `npm test`.
      { extends: true, test: { name: 'package', pool: 'forks', include: PACKAGE } },
      // A folder to work in, an environment, a time zone and signals are of a whole process.
      { extends: true, test: { name: 'processes', pool: 'forks', include: PROCESSES } },
      {
        extends: true,
        test: {
          name: 'postgres',
          pool: 'forks',
          include: POSTGRES,
          globalSetup: ['test/support/postgres-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          pool: 'forks',
          include: BROWSER,
          globalSetup: ['test/support/browser-server.ts'],
        },
      },
    ],
  },
})
