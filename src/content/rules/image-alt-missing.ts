import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { defineMarkdownRule, type HtmlRule } from './rule.ts'

/** `![](image.png)`: Markdown has no way to say that an image is decorative. */
export const imageAltMissing = defineMarkdownRule({
  types: ['image', 'imageReference'],
  check: (node, places) => {
    if ((node.alt ?? '').trim() !== '') return []
    return [
      problem(
        places.of(node),
        'Say between the brackets what it shows; <img alt=""> is for mere decoration.',
      ),
    ]
  },
})

/** `<img>` without `alt`; an empty one says that the image is decorative. */
export const htmlImageAltMissing: HtmlRule = {
  tagName: 'img',
  check: (element, placeOf) => {
    const { properties } = element
    if (properties['alt'] !== undefined || properties['ariaLabel'] !== undefined) return []
    return [problem(placeOf(element), 'Add alt="…" and say what it shows; alt="" is for mere decoration.')]
  },
}

function problem(span: Span, hint: string): Problem {
  const message = 'The image has no text for those who cannot see it.'
  return { code: 'image-alt-missing', ...span, message, hint }
}
