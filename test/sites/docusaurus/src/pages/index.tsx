import Link from '@docusaurus/Link'
import { usePluginData } from '@docusaurus/useGlobalData'
import Layout from '@theme/Layout'
import type { KbGlobalData } from 'kb-sync/docusaurus'
import React from 'react'

export default function Home() {
  const { articles } = usePluginData('kb-sync') as KbGlobalData
  return (
    <Layout>
      {articles.map(({ id, title, url }) => (
        <Link key={id} to={url}>
          {title}
        </Link>
      ))}
    </Layout>
  )
}
