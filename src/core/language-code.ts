/** The form of a language code such as `en` or `pt-BR`, for schemas: not all that has it is one. */
export const LANGUAGE_CODE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** Whether a text is a language code, its parts in an order that they may have: `xx-yy-zz` is none. */
export function isLanguageCode(text: string): boolean {
  if (!LANGUAGE_CODE.test(text)) return false
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}
