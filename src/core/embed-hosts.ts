/** Hosts of videos that pages may embed. */
export const EMBED_HOSTS = ['youtube', 'vimeo', 'loom'] as const

export type EmbedHost = (typeof EMBED_HOSTS)[number]
