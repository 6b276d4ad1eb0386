/** The thresholds on which a report can fail. */
export const THRESHOLDS = ['overdue', 'broken', 'due'] as const
export type ThresholdName = (typeof THRESHOLDS)[number]
