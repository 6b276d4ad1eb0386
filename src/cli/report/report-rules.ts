/** What a report finds, as rules for tools that show problems at their lines. */
export const REPORT_RULES = {
  'review-overdue': {
    summary: 'The review date of an article has passed.',
    help: 'Read the article again, set its `reviewDate` to the next date, and run `kb sync`.',
  },
  'review-due': {
    summary: 'An article is due for review soon.',
    help: 'Read the article again before its date, set its `reviewDate` to the next one, and run `kb sync`.',
  },
  'link-broken': {
    summary: 'The target calls a link broken.',
    help: 'Fix the link or remove it, and run `kb sync`. It counts until the target has looked again.',
  },
  'link-disagreement': {
    summary: 'The target and the check on this machine see a link in two ways.',
    help: 'Open the link in a browser. Some sites answer only some who ask: what the target says counts.',
  },
  'translation-outdated': {
    summary: 'An original was changed after its translation.',
    help: 'Bring the translation up to date, and commit it.',
  },
} as const

export type ReportRule = keyof typeof REPORT_RULES
