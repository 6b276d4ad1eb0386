// Renders a text of a tool as it is sent, with the same result from both parsers.
import { expect } from 'vitest'
import type { OwnElements } from '../../../src/core/model/element-mapping.ts'
import type { FrontmatterData } from '../../../src/core/dialects/frontmatter-mapping.ts'
import type { SiteFile } from '../../../src/core/dialects/dialect.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import { htmlOf, inputOf, rendererOf } from '../markdown/renderers.ts'

export interface Rendered {
  readonly html: string
  /** `line:column code`, with the end if it is in another column. */
  readonly problems: readonly string[]
  readonly messages: readonly string[]
  readonly anchors: readonly string[]
}

const MAPPING = { languages: ['en', 'fr'], folderName: 'docs', read: undefined, write: undefined }

/** Renders with both parsers, whose results must be equal. */
export async function renderDialect(
  dialect: PresetName,
  text: string,
  source = 'page.md',
  page: {
    readonly data?: FrontmatterData
    readonly siteFiles?: readonly SiteFile[]
    readonly elements?: OwnElements
  } = {},
): Promise<Rendered> {
  const { data, siteFiles = [], elements } = page
  const frontmatter = { ...MAPPING, preset: dialect }
  const [native, remark] = await Promise.all([
    rendererOf({ dialect, elements, frontmatter, siteFiles }),
    rendererOf({ dialect, elements, frontmatter, siteFiles, parser: 'remark' }),
  ])
  const input = { ...inputOf(text), source, data }
  const rendered = native(input)
  expect(remark(input)).toEqual(rendered)
  return {
    html: htmlOf(rendered),
    problems: rendered.problems.map(
      ({ line, column, end, code }) =>
        `${line}:${column}-${end?.line ?? line}:${end?.column ?? column} ${code}`,
    ),
    messages: rendered.problems.map(({ message }) => message),
    anchors: rendered.anchors,
  }
}
