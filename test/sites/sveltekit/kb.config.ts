import { defineConfig } from 'kb-sync'

export default defineConfig({
  project: 'site-sveltekit',
  defaults: { status: 'published', categories: ['Guides'] },
})
