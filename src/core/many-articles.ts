/** Up to this many articles, a run takes memory to save time; with more, it saves memory. */
export const MANY_ARTICLES = 4_000
