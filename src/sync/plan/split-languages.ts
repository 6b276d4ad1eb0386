import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { ArticleOperation } from '../../core/model/plan.ts'
import type { TargetCapabilities } from './target-capabilities.ts'

interface LanguageInput {
  /** Undefined if the target was not asked; then only articles that are already on it may be sent. */
  readonly offers: TargetCapabilities | undefined
  /** Languages of the target; empty if it does not list them. */
  readonly enabled: readonly string[]
  /** Document keys of the articles on the target. */
  readonly knownKeys: ReadonlySet<string>
}

interface Withheld {
  readonly article: LocalArticle
  readonly language: string
  readonly why: 'no-languages' | 'not-enabled'
}

/** True if a selected document in another language, or its original, is not on the target yet. */
export function asksForLanguages(
  articles: readonly LocalArticle[],
  knownKeys: ReadonlySet<string>,
  isSelected: (source: string) => boolean,
): boolean {
  const isNew = ({ language, key }: LocalArticle) => language !== null && !knownKeys.has(key)
  const fresh = new Set(articles.filter(isNew).map(({ source }) => source))
  return articles.some(
    ({ source, original = '' }) => isSelected(source) && (fresh.has(source) || fresh.has(original)),
  )
}

/** Without the extension `languages`, a target does not accept documents in another language. */
export function splitLanguages(articles: readonly LocalArticle[], input: LanguageInput) {
  const { offers, enabled, knownKeys } = input
  const sendable: LocalArticle[] = []
  const withheld: Withheld[] = []
  for (const article of articles) {
    const { language, key } = article
    if (language === null) sendable.push(article)
    else if (!(offers?.languages ?? knownKeys.has(key)))
      withheld.push({ article, language, why: 'no-languages' })
    else if (enabled.length > 0 && !enabled.includes(language))
      withheld.push({ article, language, why: 'not-enabled' })
    else sendable.push(article)
  }
  return {
    /** Documents that the target accepts. */
    sendable,
    /** Documents that are not sent, with the reason. */
    withheld,
  }
}

interface Wording {
  readonly enabled: readonly string[]
  readonly contentPrefix: string
  /** True if the configuration sets the target's languages. */
  readonly isBuiltin: boolean
}

export function planWithheld({ article, language, why }: Withheld): ArticleOperation {
  const { source, slug } = article
  const reason =
    why === 'no-languages'
      ? 'the target does not support languages'
      : `the target has no language "${language}"`
  return { kind: 'article', action: 'skip', source, slug, language, reason }
}

export function explainWithheld({ article, language, why }: Withheld, wording: Wording): Diagnostic {
  const { enabled, contentPrefix, isBuiltin } = wording
  const place = {
    code: 'language-not-sent',
    severity: 'warning',
    file: `${contentPrefix}${article.source}`,
    ...(article.positions['language'] ?? { line: 1, column: 1 }),
  } as const
  if (why === 'no-languages') {
    const message = `The target does not support languages, so this article in "${language}" is not sent.`
    return { ...place, message }
  }
  const names = enabled.join(', ')
  return {
    ...place,
    message: `This article in "${language}" is not sent: the target has ${enabled.length === 1 ? 'only the language' : 'the languages'} ${names}.`,
    hint: isBuiltin
      ? `Add '${language}' to server.languages in kb.config.ts; keep the default language first.`
      : `Ask the operator of the target to enable "${language}".`,
  }
}

/** One warning for all articles whose aliases the target cannot store. */
export function explainAliases(
  articles: readonly { readonly article: LocalArticle }[],
  { contentPrefix }: Pick<Wording, 'contentPrefix'>,
): readonly Diagnostic[] {
  const [first, ...others] = articles
  if (first === undefined) return []
  const rest = others.length === 0 ? '' : `, nor are those of ${others.length} more`
  return [
    {
      code: 'aliases-not-sent',
      severity: 'warning',
      file: `${contentPrefix}${first.article.source}`,
      ...(first.article.positions['aliases[0]'] ?? { line: 1, column: 1 }),
      message: `The target does not support redirects, so the aliases of this article are not sent${rest}.`,
    },
  ]
}
