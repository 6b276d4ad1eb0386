import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const ALIGNABLE = { attributes: { align: { deprecated: false, enum: ['left', 'center', 'right'] } } }

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
    // GFM writes the alignment of a column like this, and stored HTML has no style sheet that could do it.
    elements: ['html5', { td: ALIGNABLE, th: ALIGNABLE }],
    rules: {
      // Landmarks and lists may have a name, too.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // How HTML is written, not whether it is right.
      'doctype-style': 'off',
      'void-style': 'off',
      'no-trailing-whitespace': 'off',
      // Ids of charts begin with `_`, as HTML allows.
      'valid-id': ['error', { relaxed: true }],
      // Narrow screens show tables as lists, which takes their meaning from some browsers.
      'no-redundant-role': 'off',
      // Our own files have their digest in the path; what other hosts send could differ.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  }),
)

/** What html-validate has to say against a document. */
export async function validateHtml(document: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(document)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector, line }) => `${line}: ${ruleId}: ${message} ${selector ?? ''}`),
  )
}
