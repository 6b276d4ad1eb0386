/** The thresholds that a report can fail on. */
export const THRESHOLDS = ['overdue', 'broken', 'due'] as const
export type ThresholdName = (typeof THRESHOLDS)[number]
