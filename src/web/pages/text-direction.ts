import { tryTo } from '../../core/try-to.ts'

// Node has two names for the text direction of a script, and older versions have none.
interface WithTextInfo extends Intl.Locale {
  readonly textInfo?: { readonly direction?: string }
  readonly getTextInfo?: () => { readonly direction?: string }
}

const RIGHT_TO_LEFT = new Set(
  'Adlm Arab Armi Avst Hebr Mand Mani Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi'.split(' '),
)

/** Returns the text direction of a language; 'ltr' for an invalid code. */
export function textDirection(language: string): 'ltr' | 'rtl' {
  try {
    const locale: WithTextInfo = new Intl.Locale(language)
    const known = locale.getTextInfo?.().direction ?? locale.textInfo?.direction
    if (known !== undefined) return known === 'rtl' ? 'rtl' : 'ltr'
    return RIGHT_TO_LEFT.has(locale.maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}

/** Returns the name of a language in that language, as a title; otherwise its code. */
export function ownLanguageName(language: string): string {
  const name = languageName(language, language)
  return name === language ? name : name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Returns the name of a language in another one, as within a sentence; otherwise its code. */
export function languageName(language: string, inLanguage: string): string {
  const names = () => new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'code' })
  return tryTo(() => names().of(language)) ?? language
}

/** Creates the number format of a language; that of English for an invalid code. */
export function createNumberFormat(language: string): Intl.NumberFormat {
  return tryTo(() => new Intl.NumberFormat(language)) ?? new Intl.NumberFormat('en')
}

/** Formats a time (ISO 8601) as a written date; '' if it is invalid. */
export function dateInWords(moment: string, language: string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return ''
  const style = { dateStyle: 'long', timeZone: 'UTC' } as const
  const format = tryTo(() => new Intl.DateTimeFormat(language, style)) ?? new Intl.DateTimeFormat('en', style)
  return format.format(date)
}
