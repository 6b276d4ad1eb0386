// What is public. Every kb.config.ts imports this module, so whatever is heavy is loaded when it is used.
export { type ArticleLink, defineConfig, type KbConfig, type RemoteTarget } from './config/define-config.ts'
export type {
  FrontmatterData,
  FrontmatterFields,
  FrontmatterFile,
  ReadFrontmatter,
  WriteFrontmatter,
  WrittenFrontmatterFile,
} from './model/frontmatter-mapping.ts'
export type { ElementMapping, ElementMappings, MapElement, UsedComponent } from './model/element-mapping.ts'
export type { PresetName } from './model/preset-name.ts'
export type { Settings } from './config/settings.ts'
export { createKb } from './kb/create-kb.ts'
export type { Kb } from './kb/kb.ts'
export type {
  AssetsOptions,
  CheckOptions,
  ContentRunOptions,
  DoctorOptions,
  ExternalCheckOptions,
  KbOptions,
  MoveOptions,
  NewArticleOptions,
  OpenSiteOptions,
  PlanOptions,
  PullOptions,
  ReportOptions,
  RunOptions,
  SavedPlanOptions,
  SyncOptions,
  TargetRunOptions,
  WatchOptions,
} from './kb/run-options.ts'
export type {
  KbWatchEvent as WatchEvent,
  WatchedOperation,
  WatchedTarget,
  WatchSummary,
} from './kb/watch-events.ts'

export type { CreatedArticle } from './authoring/create/create-options.ts'
export type { ChangedFile, LeftOver, MoveResult } from './authoring/move/move-options.ts'
export type { AssetsResult, PublishedAsset } from './check/assets/copy-assets.ts'
export type { ExternalSummary } from './check/external/check-external-links.ts'
export type { CheckResult } from './check/run-check.ts'
export type { DoctorReport } from './doctor/doctor-report.ts'
export type { Finding } from './doctor/finding.ts'
export type { PulledFile, PullResult, PullSummary } from './pull/pull-options.ts'
export type {
  ChangedLink,
  ExceededThreshold,
  HistoryPoint,
  LinkDisagreement,
  LinkFinding,
  LinkPlace,
  Listing,
  OutdatedTranslation,
  Owner,
  Report,
  ReportChanges,
  ReportCounts,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
} from './report/report.ts'
export type { ReviewStanding } from './health/summary/summarize-reviews.ts'
export type { ThresholdName } from './model/threshold.ts'
export type { Site, SiteLinks, SiteReading } from './site/site-options.ts'
export type {
  SiteArticle,
  SiteBody,
  SiteCategory,
  SiteHeading,
  SiteTag,
  SiteTranslation,
} from './site/site-data.ts'
export type { SiteView } from './site/site-view.ts'
export type { SyncResult } from './sync/sync-options.ts'
export type { Standing } from './watch/watch-event.ts'
export type { UnsentFile } from './watch/watch-view.ts'

export { KbError } from './errors/kb-error.ts'
export type { ErrorCode } from './errors/catalogue.ts'
export type { ArticleDifference } from './model/article-difference.ts'
export type { Diagnostic } from './model/diagnostic.ts'
export type { DiagnosticCode, RuleCode, RuleSeverities, RuleSeverity } from './model/diagnostic-codes.ts'
export type { OperationResult, Orphan, Summary } from './model/plan.ts'
export type { SavedPlan } from './plan/saved/saved-plan.ts'
