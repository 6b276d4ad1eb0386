// What is public. Every kb.config.ts imports this module, so whatever is heavy is loaded when it is used.
export { defineConfig } from './core/config/define-config.ts'
export type { ArticleLink, KbConfig, RemoteTarget } from './core/config/schema.ts'
export type { PageMessages } from './core/page-messages.ts'
export type {
  FrontmatterData,
  FrontmatterFields,
  FrontmatterFile,
  ReadFrontmatter,
  WriteFrontmatter,
  WrittenFrontmatterFile,
} from './core/dialects/frontmatter-mapping.ts'
export type {
  ElementMapping,
  ElementMappings,
  MapElement,
  UsedComponent,
} from './core/model/element-mapping.ts'
export type { PresetName } from './core/dialects/dialects.ts'
export type { Settings } from './core/config/settings.ts'
export { createKb } from './kb/create-kb.ts'
export type { Kb } from './kb/kb.ts'
export type {
  AssetsOptions,
  CheckOptions,
  DoctorOptions,
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
  WatchOptions,
} from './kb/options.ts'
export type {
  KbWatchEvent as WatchEvent,
  WatchedOperation,
  WatchedTarget,
  WatchSummary,
} from './kb/watch-events.ts'

export type { CreatedArticle } from './authoring/create/create-options.ts'
export type { ChangedFile, LeftOver, MoveResult } from './authoring/move/move-options.ts'
export type { AssetsResult, PublishedAsset } from './inspect/check/assets/copy-assets.ts'
export type { ExternalSummary } from './inspect/check/external/check-external-links.ts'
export type { CheckResult } from './inspect/check/run-check.ts'
export type { DoctorReport } from './inspect/doctor/doctor-report.ts'
export type { Finding } from './inspect/doctor/finding.ts'
export type { PulledFile, PullResult, PullSummary } from './authoring/pull/pulled-files.ts'
export type {
  ChangedLink,
  ExceededThreshold,
  HistoryPoint,
  LinkDisagreement,
  LinkFinding,
  LinkPlace,
  OutdatedTranslation,
  Owner,
  Report,
  ReportChanges,
  ReportCounts,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
} from './web/report/report.ts'
export type { Listing } from './web/dashboard/summary/least.ts'
export type { ReviewStatus } from './web/dashboard/summary/summarize-reviews.ts'
export type { ThresholdName } from './core/model/threshold.ts'
export type { SiteLinks, SiteView } from './kb/site/describe-site.ts'
export type { Site, SiteReading } from './kb/site/open-site.ts'
export type {
  SiteArticle,
  SiteBody,
  SiteCategory,
  SiteHeading,
  SiteTag,
  SiteTranslation,
} from './kb/site/site-data.ts'
export type { SyncResult } from './sync/sync-options.ts'
export type { WatchStatus } from './watch/reducer/watch-event.ts'
export type { UnsentFile } from './watch/reducer/watch-event.ts'

export { KbError } from './core/errors/kb-error.ts'
export type { ErrorCode } from './core/errors/catalogue.ts'
export type { ArticleDifference } from './core/model/article-difference.ts'
export type { Diagnostic } from './core/model/diagnostic.ts'
export type { DiagnosticCode, RuleCode, RuleSeverities, RuleSeverity } from './core/model/diagnostic-codes.ts'
export type { OperationResult, Orphan, Summary } from './core/model/plan.ts'
export type { SavedPlan } from './sync/plan/saved/saved-plan.ts'
