import type { Config } from '@docusaurus/types'
import type { DocusaurusOptions } from 'kb-sync/docusaurus'
import kb, { parseFrontMatter } from 'kb-sync/docusaurus'

const options = { routeBasePath: 'help', sync: 'build' } satisfies DocusaurusOptions

export default {
  title: 'Demo',
  url: 'https://demo.example',
  baseUrl: '/',
  future: { faster: true, v4: true },
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  markdown: { parseFrontMatter },
  plugins: [[kb, options]],
  presets: [['classic', { docs: false, blog: false }]],
  themeConfig: { navbar: { items: [{ to: '/help', label: 'Help' }] } },
} satisfies Config
