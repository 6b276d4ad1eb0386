import { defineConfig } from 'kb-sync'

export default defineConfig({
  project: 'site-vite',
  defaults: { status: 'published', categories: ['Guides'] },
})
