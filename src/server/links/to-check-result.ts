import { articleOfTarget } from './link-target.ts'
import type { DueLink, LinkCheckResult } from '../store/link-check-data.ts'
import type { Observation } from '../../api/link-probe/observation.ts'

interface CheckCircumstances {
  readonly claimedUntil: string
  readonly intervalMs: number
  readonly nowMs: number
  /** At least 0, less than 1. */
  readonly random: number
}

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

// Converts the result of a probe to stored data. Pure, so that a test can simulate weeks.

/** The status of a link: whether it works, and its number of failures in a row. */
export interface LinkStatus {
  readonly working: boolean
  readonly failures: number
}

/** Number of failures in a row after which a link counts as broken, because one may be temporary. */
const FAILURES_TO_BREAK = 2

const FIRST_BACK_OFF_MS = 60_000
const BACK_OFF_FACTOR = 4

/** Looking up an article sends no request, and articles appear and disappear at any time. */
const ARTICLE_LONGEST_WAIT_MS = 10 * 60_000

/** Random part of a waiting time, so that links found together are not always checked together. */
const JITTER = 0.1

/** Returns the status of a link after a check. A busy host does not change it. */
export function judgeLink(previous: LinkStatus, observation: Observation): LinkStatus {
  if (observation.kind === 'busy') return { working: previous.working, failures: previous.failures }
  if (observation.kind !== 'broken') return { working: true, failures: 0 }
  const failures = previous.failures + 1
  return { working: previous.working && failures < FAILURES_TO_BREAK, failures }
}

interface Rhythm {
  /** Time between two checks of a working URL. */
  readonly intervalMs: number
  readonly isArticle: boolean
  /** At least 0, less than 1. */
  readonly random: number
}

/**
 * Returns the milliseconds until a target is checked again: the interval if it works; 1 minute after a failure, then 4,
 * 16 and so on, up to the interval; the time that a busy host requested. An article is looked up again after at most 10
 * minutes. Up to a tenth is subtracted at random, or added to the time that a host requested.
 *
 * @param failures failures in a row, this one included
 */
export function waitMs(observation: Observation, failures: number, rhythm: Rhythm): number {
  const jitter = rhythm.random * JITTER
  if (observation.kind === 'busy') return Math.round(observation.retryAfterMs * (1 + jitter))
  const { intervalMs, isArticle } = rhythm
  const longestMs = isArticle ? Math.min(intervalMs, ARTICLE_LONGEST_WAIT_MS) : intervalMs
  const full =
    observation.kind === 'broken'
      ? Math.min(FIRST_BACK_OFF_MS * BACK_OFF_FACTOR ** (failures - 1), longestMs)
      : longestMs
  return Math.round(full * (1 - jitter))
}
