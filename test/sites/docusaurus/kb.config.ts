import { defineConfig } from 'kb-sync'

export default defineConfig({
  project: 'demo',
  defaults: { status: 'published' },
  server: { languages: ['en', 'fr'] },
})
