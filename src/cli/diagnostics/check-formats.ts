/** Formats for people, which end with a summary. */
export const TEXT_FORMATS = ['pretty', 'concise', 'grouped', 'grouped-by-code'] as const

export const CHECK_FORMATS = [...TEXT_FORMATS, 'json', 'github', 'sarif', 'junit'] as const

export type TextFormat = (typeof TEXT_FORMATS)[number]
export type CheckFormat = (typeof CHECK_FORMATS)[number]
