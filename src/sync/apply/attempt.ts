import { KbError } from '../../core/errors/kb-error.ts'
import {
  type ArticleDelete,
  type ArticleWrite,
  effectOf,
  isArticleWrite,
  type Outcome,
  withdraw,
} from '../../core/model/plan.ts'
import type { ApplyContext } from './apply-context.ts'
import { explainOutcome } from './journaled-writes.ts'
import type { SendResult } from './send-article.ts'

/** Not sent: the run had already ended, or this step ended it. */
export interface NotRun {
  readonly kind: 'not-run'
}

/** Runs one step. An external failure ends the run, and no further step starts. */
export async function attempt<T>(context: ApplyContext, step: () => Promise<T>): Promise<T | NotRun> {
  if (context.ledger.failure !== undefined) return { kind: 'not-run' }
  return step().catch(toNotRun(context))
}

/** If the client throws, nothing was written. A write that fails after it was sent is an outcome, not an exception. */
export function toNotRun({ ledger }: ApplyContext): (error: unknown) => NotRun {
  return (error) => {
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
    return { kind: 'not-run' }
  }
}

/** Reports the result of an operation; without a result, it is done. */
export function reportOutcome(
  operation: ArticleWrite | ArticleDelete,
  result: SendResult | NotRun | undefined,
  { onResult, ledger }: ApplyContext,
): void {
  const isWritten = result === undefined && isArticleWrite(operation)
  const newId = isWritten ? ledger.sent.get(operation.source)?.id : undefined
  const isKept = operation.action !== 'create' && effectOf(operation) !== 'delete'
  const backup = isKept ? ledger.backups.get(operation.id) : undefined
  // A literal that starts with a spread would get a hidden class of its own.
  const { kind, ...step } =
    result?.kind === 'conflict' ? withdraw(operation, 'conflict', result.reason) : operation
  const ending = toOutcome(result)
  if (operation.action === 'create' && ending.outcome !== 'done') ledger.lacksNew = true
  onResult({
    kind,
    ...step,
    ...ending,
    ...(newId !== undefined && { id: newId }),
    ...(backup !== undefined && { backup }),
  })
}

/** The outcome of an operation; without a result, it is done. */
export function toOutcome(result: SendResult | NotRun | undefined): {
  readonly outcome: Outcome
  readonly reason?: string
} {
  switch (result?.kind) {
    case undefined:
    case 'sent':
      return { outcome: 'done' }
    case 'there':
      return { outcome: 'done', reason: 'another run has already sent it' }
    case 'not-run':
      return { outcome: 'skipped', reason: 'not sent' }
    case 'waiting':
    case 'conflict':
      return { outcome: 'skipped', reason: result.reason }
    case 'full':
      return { outcome: 'failed', reason: 'the target accepts no more articles' }
    case 'changed':
      return { outcome: 'failed', reason: explainOutcome(result) }
    case 'failed':
      return { outcome: 'failed', reason: result.reason }
  }
}
