import adapter from '@sveltejs/adapter-static'
import { sveltekit } from '@sveltejs/kit/vite'
import { kb } from 'kb-sync/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() }), kb({ sync: 'build', links: { article: '/help/{id}' } })],
})
