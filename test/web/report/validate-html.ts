import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const ALIGNABLE = { attributes: { align: { deprecated: false, enum: ['left', 'center', 'right'] } } }

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
    // GFM writes the alignment of a column like this, and stored HTML has no style sheet to do it.
    elements: ['html5', { td: ALIGNABLE, th: ALIGNABLE }],
    rules: {
      // Landmarks and lists may have a name, too.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // The style of HTML, not its correctness.
      'doctype-style': 'off',
      'void-style': 'off',
      'no-trailing-whitespace': 'off',
      // Ids of charts begin with `_`, as HTML allows.
      'valid-id': ['error', { relaxed: true }],
      // Narrow screens show tables as lists, which removes their semantics in some browsers.
      'no-redundant-role': 'off',
      // Our own files have their digest in the path; those of other hosts may change.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  }),
)

/** Returns the complaints of html-validate about a document. */
export async function validateHtml(document: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(document)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector, line }) => `${line}: ${ruleId}: ${message} ${selector ?? ''}`),
  )
}
