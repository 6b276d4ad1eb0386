/** What a report may be told to fail on. */
export const THRESHOLDS = ['overdue', 'broken', 'due'] as const
export type ThresholdName = (typeof THRESHOLDS)[number]
