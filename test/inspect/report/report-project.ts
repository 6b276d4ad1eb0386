// Creates the report of a project in this process, with a fixed clock.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../../src/api/client/create-client.ts'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { normaliseConfig, type Settings } from '../../../src/core/config/settings.ts'
import { documentKey } from '../../../src/core/model/document.ts'
import { type ArticleRecord, EMPTY_STATE, type TargetState } from '../../../src/core/model/target-state.ts'
import type { Report } from '../../../src/web/report/report.ts'
import type { ReportTask } from '../../../src/inspect/report/report-task.ts'
import { runReport } from '../../../src/inspect/report/run-report.ts'
import { prepareWorkspace, workspaceOf, stateFiles } from '../../../src/sync/state/workspace.ts'
import { writeState } from '../../../src/sync/state/state-file.ts'
import type { Connect } from '../../../src/sync/target-session.ts'
import { createProject, type Files, type TestProject } from '../../support/project.ts'
import { API_KEY } from '../../support/server.ts'

export const TODAY = '2027-03-15'

export interface ReportProject extends TestProject {
  readonly settings: Settings
  /** Connects to `url`, like a report of this project. */
  readonly connect: Connect
  readonly report: (options?: Partial<ReportTask>) => Promise<Report>
  /** Writes the state of an earlier sync: ids by source. */
  readonly know: (ids: Readonly<Record<string, string>>, more?: Partial<TargetState>) => Promise<void>
}

/** A project of these files with its target at `url`. */
export function createReportProject(url: string, files: Files, config: KbConfig = {}): ReportProject {
  const project = createProject(files)
  const settings = normaliseConfig(
    { project: 'demo', target: { url, apiKey: API_KEY }, ...config },
    { root: project.root, configFile: undefined, packageName: undefined, programVersion: 'test' },
  )
  const { target, report } = settings
  const connect: Connect = ({ signal }) => {
    const client = createClient({
      url,
      apiKey: API_KEY,
      timeoutMs: 5000,
      retries: 2,
      concurrency: 8,
      signal,
      sleep: () => Promise.resolve(),
    })
    const close = async () => {
      await client.close()
      return { ownRevisions: 0 }
    }
    return Promise.resolve({ name: target.name, client, createTaxonomy: undefined, close })
  }
  return {
    ...project,
    settings,
    connect,
    report: (options = {}) =>
      runReport({
        settings,
        target,
        connect,
        sources: undefined,
        dueWithinDays: report.dueWithinDays,
        thresholds: report,
        ignoredLinks: settings.ignoredLinks,
        baseline: undefined,
        owners: undefined,
        external: undefined,
        keepsHistory: false,
        now: () => new Date(`${TODAY}T12:00:00Z`),
        sleep: (ms) => sleep(ms),
        env: {},
        ...options,
      }),
    know: async (ids, more = {}) => {
      const workspace = workspaceOf(settings.root)
      prepareWorkspace(workspace)
      const articles = Object.entries(ids).map(([source, id]) => recordOf(source, id))
      const state = { ...EMPTY_STATE, isKnown: true, articles, ...more }
      await writeState(stateFiles(target, settings, workspace).state, settings.project, state)
    },
  }
}

/** The record of an article in the state. Slug and title are derived from its file's name. */
export function recordOf(source: string, id: string, changes: Partial<ArticleRecord> = {}): ArticleRecord {
  const name = source.replace(/^.*\/|\.md$/g, '')
  const hashes = { fingerprint: 'f', sourceHash: 's', fieldsHash: '', projectionHash: 'p' }
  return {
    key: documentKey(source, null),
    source,
    slug: name,
    language: null,
    title: name,
    id,
    ...hashes,
    ...changes,
  }
}
