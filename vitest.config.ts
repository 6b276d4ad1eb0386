import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    maxWorkers: 2,
    // No module keeps state of its own, so the files of a worker share what is loaded.
    isolate: false,
    // What is built is loaded by Node.js, as users load it.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
