import type { Config } from '@docusaurus/types'
import { parseFrontMatter } from 'kb-sync/docusaurus'

export default {
  title: 'Shown',
  url: 'https://shown.example',
  baseUrl: '/',
  future: { faster: true, v4: true },
  markdown: { format: 'detect', parseFrontMatter },
  plugins: ['kb-sync/docusaurus'],
  presets: [['classic', { docs: { path: 'content', routeBasePath: '/' }, blog: false }]],
} satisfies Config
