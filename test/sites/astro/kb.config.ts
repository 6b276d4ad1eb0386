import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'site-astro', defaults: { status: 'published' } })
