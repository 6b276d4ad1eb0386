import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'site-eleventy', defaults: { status: 'published' } })
