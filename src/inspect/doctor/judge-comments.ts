import type { CheckName } from './checks.ts'
import { type Finding, ok, warning } from './finding.ts'

/** What it means that a target keeps HTML comments, or does not. */
export function judgeComments(check: CheckName, isKept: boolean): Finding {
  return isKept
    ? ok(check, 'comments are kept: every checkout recognises our articles by their marker')
    : warning(
        check,
        "The target takes comments out of the HTML, and our marker with them. Without .kb/state, an article that was edited there counts as somebody else's, and one of another project that equals your file counts as yours.",
        'On build machines keep .kb/state between runs: it is then all that proves which articles are yours.',
      )
}
