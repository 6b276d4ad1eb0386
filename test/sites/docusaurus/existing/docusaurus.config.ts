import type { Config } from '@docusaurus/types'
import kb from 'kb-sync/docusaurus'

export default {
  title: 'Existing',
  url: 'https://existing.example',
  baseUrl: '/',
  future: { faster: true, v4: true },
  plugins: [[kb, { sync: 'build' }]],
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
} satisfies Config
