import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'shown', defaults: { status: 'published' } })
