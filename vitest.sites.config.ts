import { defineConfig } from 'vitest/config'

// Real sites, built by their own tools with the packed kb-sync installed: `npm run sites`.
export default defineConfig({
  test: {
    include: ['test/sites/*.site.ts'],
    globalSetup: ['test/support/packed.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
    // npm installs a site before its first test.
    hookTimeout: 900_000,
  },
})
