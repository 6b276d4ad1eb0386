import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'existing', preset: 'docusaurus' })
