import { digest } from '../../core/digest.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { RenderedBody } from '../../content/markdown/rendered-body.ts'

/** Renders a body or a part of one as the sync would. */
export function renderPart(body: string, title: string, render: RenderMarkdown): RenderedBody {
  return render({ body, title, lineOffset: 0, nonce: digest(body) })
}
