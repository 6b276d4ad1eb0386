import { type Expected, Learned } from '../support/service-model.ts'

export interface Received {
  readonly status: number
  readonly body: unknown
}

/** Compares what the service answers with what the model expects, and learns the ids that only the service knows. */
export interface AnswerComparison {
  /** How the answer departs from what is expected; empty where it does not. */
  readonly differences: (expected: Expected, received: Received) => string[]
}

export function createAnswerComparison(): AnswerComparison {
  const known = new Set<string>()

  function learn(cell: Learned, actual: unknown, at: string): string[] {
    if (cell.value !== undefined) return equal(cell.value, actual, at)
    if (typeof actual !== 'string' || actual === '') return [`${at} is no id: ${show(actual)}`]
    if (known.has(actual)) return [`${at} is the id of something else: ${actual}`]
    known.add(actual)
    cell.value = actual
    return []
  }

  function compare(expected: unknown, actual: unknown, at: string): string[] {
    if (expected instanceof Learned) return learn(expected, actual, at)
    if (typeof expected !== 'object' || expected === null) return equal(expected, actual, at)
    if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual)) {
      return [`${at} is ${show(actual)}, not ${show(expected)}`]
    }
    const [wanted, found] = [Object.keys(expected), Object.keys(actual)]
    const missing = wanted.filter((key) => !found.includes(key))
    const surplus = found.filter((key) => !wanted.includes(key))
    if (missing.length + surplus.length > 0) {
      return [`${at} lacks [${String(missing)}] and has [${String(surplus)}] too much: ${show(actual)}`]
    }
    return wanted.flatMap((key) => compare((expected as never)[key], (actual as never)[key], `${at}.${key}`))
  }

  return {
    differences(expected, { status, body }) {
      if (expected.kind === 'answered') {
        return status === 200
          ? compare(expected.body, body, 'answer')
          : [`answered ${String(status)} ${show(body)}`]
      }
      const { success, message } = body as { success?: unknown; message?: unknown }
      const named = expected.breaches.filter((breach) => breach.status === status)
      const isNamed = named.some(({ says }) => typeof message === 'string' && message.includes(says))
      if (success === false && isNamed) return []
      return [`answered ${String(status)} ${show(body)} where ${show(expected.breaches)} are broken`]
    },
  }
}

function equal(expected: unknown, actual: unknown, at: string): string[] {
  return Object.is(expected, actual) ? [] : [`${at} is ${show(actual)}, not ${show(expected)}`]
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'absent'
}
