import { digest } from '../../../util/digest.ts'
import type { RenderMarkdown } from '../../markdown/create-renderer.ts'
import type { RenderedBody } from '../../markdown/rendered-body.ts'

/** Renders a body or a part of one as the sync would. */
export function renderPart(body: string, title: string, render: RenderMarkdown): RenderedBody {
  return render({ body, title, lineOffset: 0, nonce: digest(body) })
}
