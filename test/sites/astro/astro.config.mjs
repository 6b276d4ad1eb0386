import { defineConfig } from 'astro/config'
import kb from 'kb-sync/astro'

export default defineConfig({
  integrations: [kb({ sync: 'build', links: { article: '/help/{id}/', category: '/topics/{slug}/' } })],
})
