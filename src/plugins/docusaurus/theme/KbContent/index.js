// Shows the body of an article, with the site's components for its own Markdown.
import Admonition from '@theme/Admonition'
import CodeBlock from '@theme/CodeBlock'
import MDXComponents from '@theme/MDXComponents'
import { createElement, Fragment } from 'react'

/** A link to a page of the site in another language, or to one that is not part of this build. */
function AwayLink(properties) {
  return createElement('a', properties)
}

const COMPONENTS = { ...MDXComponents, Admonition, AwayLink, CodeBlock }

function draw(node) {
  if (typeof node === 'string') return node
  const { name, properties, children } = node
  const type = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : name
  return createElement(type, properties, ...children.map(draw))
}

export default function KbContent({ body }) {
  return createElement(Fragment, null, ...body.map(draw))
}
