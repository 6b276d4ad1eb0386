import { tryTo } from './try-to.ts'

/** The form of a language code such as `en` or `pt-BR`, for schemas. Not every match is a valid code. */
export const LANGUAGE_CODE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** Returns true if a text is a valid language code; `xx-yy-zz` is not. */
export function isLanguageCode(text: string): boolean {
  if (!LANGUAGE_CODE.test(text)) return false
  return tryTo(() => Intl.getCanonicalLocales(text).length > 0, false)
}
