// Takes the CPU profile of a run: of this thread, and of every thread that the run starts. A thread that ends waits
// until its profile has been read.
import { mkdirSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { basename, dirname } from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { createStageClock, type StageTime } from './stage-clock.ts'

export interface RunProfile {
  /** The profile of the main thread comes first. */
  readonly files: readonly string[]
  /** In the order in which they started. */
  readonly stages: readonly StageTime[]
}

export type RunProfiler = Awaited<ReturnType<typeof startProfiler>>

/** @returns once this thread is profiled; threads that start later are profiled from their first line */
export async function startProfiler() {
  // When it is loaded, the SQLite driver requests a report from Node.js, which stops this thread until every other one
  // has answered. A thread that waits to be profiled never answers.
  await import('../../content/pipeline/render-cache.ts')
  const clock = createStageClock()
  const session = new Session()
  session.connect()
  const threads = profileThreads(session)
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: true })
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  let isOpen = true
  const stop = async () => {
    isOpen = false
    const stages = clock.stop()
    const { profile } = await session.post('Profiler.stop')
    const ofThreads = await threads.stop()
    session.disconnect()
    return { stages, profiles: [{ name: undefined, profile }, ...ofThreads] }
  }
  return {
    onStage: clock.begin,
    /**
     * Ends the measurement and writes one file for each thread.
     *
     * @param file path of the main thread's profile; the others have names beside it
     */
    finish: async (file: string) => {
      const { stages, profiles } = await stop()
      mkdirSync(dirname(file), { recursive: true })
      const files: string[] = []
      for (const { name, profile } of profiles) {
        const path = name === undefined ? file : file.replace(/(?=\.cpuprofile$)/, `.${name}`)
        await writeFileWhole(path, JSON.stringify(profile))
        files.push(path)
      }
      return { files, stages }
    },
    /** Ends it without a file. Has no effect after `finish`. */
    discard: async () => {
      if (isOpen) await stop()
    },
  }
}

interface ThreadProfile {
  /** Its number and its code: `1-builtin-server`. */
  readonly name: string
  readonly profile: Profiler.Profile
}

const STOP_ID = 100

function profileThreads(session: Session) {
  const profiles: ThreadProfile[] = []
  const threads = new Map<
    string,
    { readonly name: string; readonly ended: Promise<void>; readonly end: () => void }
  >()
  const send = (sessionId: string, message: { id: number; method: string; params?: object }) =>
    // It fails if the thread has just ended, which another event reports.
    void session
      .post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) })
      .catch(() => undefined)
  const requestProfile = (sessionId: string) => send(sessionId, { id: STOP_ID, method: 'Profiler.stop' })
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo, waitingForDebugger } }) => {
    // A thread that an earlier run in this process has closed may not have ended yet.
    if (!waitingForDebugger) return
    const name = `${threads.size + 1}-${basename(workerInfo.url).replace(/\.\w+$/, '')}`
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    threads.set(sessionId, { name, ended, end })
    send(sessionId, { id: 1, method: 'Profiler.enable' })
    send(sessionId, {
      id: 2,
      method: 'NodeRuntime.notifyWhenWaitingForDisconnect',
      params: { enabled: true },
    })
    send(sessionId, { id: 3, method: 'Profiler.start' })
    send(sessionId, { id: 4, method: 'Runtime.runIfWaitingForDebugger' })
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
    const received = JSON.parse(message) as {
      readonly id?: number
      readonly method?: string
      readonly result?: { readonly profile?: Profiler.Profile }
    }
    if (received.method === 'NodeRuntime.waitingForDisconnect') requestProfile(sessionId)
    if (received.id !== STOP_ID) return
    const { name, end } = threads.get(sessionId) ?? {}
    const profile = received.result?.profile
    if (name !== undefined && profile !== undefined) profiles.push({ name, profile })
    void session.post('NodeWorker.detach', { sessionId }).catch(() => undefined)
    end?.()
  })
  session.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => threads.get(sessionId)?.end())
  return {
    /** Returns the profiles of threads that have ended, and of those that are still running. */
    stop: async (): Promise<readonly ThreadProfile[]> => {
      for (const sessionId of threads.keys()) requestProfile(sessionId)
      // Messages of a thread do not keep the process alive.
      const alive = setInterval(() => undefined, 1000)
      await Promise.all([...threads.values()].map(({ ended }) => ended))
      clearInterval(alive)
      return profiles.toSorted((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10))
    },
  }
}
