import { sveltekit } from '@sveltejs/kit/vite'
import { kb } from 'kb-sync/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit(), kb({ sync: 'build', links: { article: '/help/{id}' } })],
})
