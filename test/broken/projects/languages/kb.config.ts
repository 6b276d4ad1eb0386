import { defineConfig } from 'kb-sync'

export default defineConfig({ server: { languages: ['en', 'de', 'fr'] } })
