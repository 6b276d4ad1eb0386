import { kb } from 'kb-sync/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [kb({ sync: 'build', links: { article: '/help/{id}' } })] })
