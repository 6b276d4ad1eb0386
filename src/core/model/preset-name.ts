/** The tools whose folders are understood as they are. */
export const PRESET_NAMES = ['docusaurus', 'vitepress', 'hugo'] as const

export type PresetName = (typeof PRESET_NAMES)[number]
