export const CHECK_FORMATS = ['pretty', 'json', 'github', 'sarif', 'junit'] as const

export type CheckFormat = (typeof CHECK_FORMATS)[number]
