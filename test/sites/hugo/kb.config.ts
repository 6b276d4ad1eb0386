import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'hugo-site', preset: 'hugo' })
