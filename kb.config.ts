import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'kb-sync', defaults: { status: 'published' } })
