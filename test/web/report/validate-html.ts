import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      // How HTML is written, not whether it is right.
      'doctype-style': 'off',
      'void-style': 'off',
      'no-trailing-whitespace': 'off',
      // Ids of charts begin with `_`, as HTML allows.
      'valid-id': ['error', { relaxed: true }],
      // Narrow screens show tables as lists, which takes their meaning from some browsers.
      'no-redundant-role': 'off',
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
