import { KbError } from '../../core/errors/kb-error.ts'
import type { Operation, OperationResult, Outcome } from '../../core/model/plan.ts'
import type { ApplyContext } from './apply-context.ts'
import type { SendResult } from './send-article.ts'

/** Not sent: the run had ended, or ended with this step. */
export interface Unsent {
  readonly kind: 'unsent'
}

/** Runs one step; a failure of the world ends the run, and nothing new is begun after it. */
export async function attempt<T>(context: ApplyContext, step: () => Promise<T>): Promise<T | Unsent> {
  if (context.ledger.failure !== undefined) return { kind: 'unsent' }
  return step().catch(toUnsent(context))
}

/** Nothing was sent where the client throws: the write that fails on its way is an outcome, not an exception. */
export function toUnsent({ ledger }: ApplyContext): (error: unknown) => Unsent {
  return (error) => {
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
    return { kind: 'unsent' }
  }
}

/** Reports how an operation ended; without a result, it is done. @param newId of what was created; '' for none */
export function reportOutcome(
  operation: Operation,
  result: SendResult | Unsent | undefined,
  { onResult, ledger }: ApplyContext,
  newId = '',
): void {
  const backup = operation.action === 'delete' ? undefined : ledger.backups.get(operation.id)
  const ended = toResult(operation, result)
  onResult({ ...ended, ...(newId !== '' && { id: newId }), ...(backup !== undefined && { backup }) })
}

function toResult(operation: Operation, result: SendResult | Unsent | undefined): OperationResult {
  switch (result?.kind) {
    case undefined:
    case 'sent':
    case 'updated':
      return withOutcome(operation, 'done')
    case 'unsent':
      return { ...withOutcome(operation, 'skipped'), reason: 'not sent' }
    case 'waiting':
      return { ...withOutcome(operation, 'skipped'), reason: result.reason }
    case 'conflict':
      return { ...withOutcome({ ...operation, action: 'conflict' }, 'skipped'), reason: result.reason }
    case 'full':
      return { ...withOutcome(operation, 'failed'), reason: 'the target takes no more articles' }
    case 'failed':
      return { ...withOutcome(operation, 'failed'), reason: result.reason }
  }
}

function withOutcome(operation: Operation, outcome: Outcome): OperationResult {
  return { ...operation, outcome }
}
