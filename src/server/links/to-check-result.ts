import { articleOfTarget } from './link-target.ts'
import type { DueLink, LinkCheckResult } from '../store/link-check-data.ts'
import { judgeLink, waitMs } from './judge-link.ts'
import type { Observation } from '../../api/link-probe/observation.ts'

interface CheckCircumstances {
  readonly claimedUntil: string
  readonly intervalMs: number
  readonly nowMs: number
  /** From 0 up to, not including, 1. */
  readonly random: number
}

/** What is written down of a check. */
export function toCheckResult(
  due: DueLink,
  observation: Observation,
  { claimedUntil, intervalMs, nowMs, random }: CheckCircumstances,
): LinkCheckResult {
  const verdict = judgeLink(due, observation)
  const isArticle = articleOfTarget(due.target) !== undefined
  const wait = waitMs(observation, verdict.failures, { intervalMs, isArticle, random })
  return {
    target: due.target,
    claimedUntil,
    ...verdict,
    status: observation.status,
    reason: observation.kind === 'works' ? '' : observation.reason,
    checkedDate: new Date(nowMs).toISOString(),
    nextCheckDate: new Date(nowMs + wait).toISOString(),
  }
}
