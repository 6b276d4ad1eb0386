import { defineMarkdownRule } from './rule.ts'

const SHOWN_URL = 60

/**
 * `https://example.com` as it is. In angle brackets the author says that the address itself is meant, and addresses of
 * mail say well enough where they lead.
 */
export const bareUrl = defineMarkdownRule({
  types: ['link'],
  check: (node, places) => {
    const [text, ...others] = node.children
    if (text?.type !== 'text' || others.length > 0 || !/^(?:https?:\/\/|www\.)/i.test(text.value)) return []
    // Brackets of either kind stand between the beginning of the link and that of its text.
    if (node.position?.start.offset !== text.position?.start.offset) return []
    const shown = text.value.length > SHOWN_URL ? `${text.value.slice(0, SHOWN_URL)}…` : text.value
    const message = `The address ${shown} stands in the text without words.`
    const hint = 'Write [words](address), or <address> where readers need the address itself.'
    return [{ code: 'bare-url', ...places.of(node), message, hint }]
  },
})
