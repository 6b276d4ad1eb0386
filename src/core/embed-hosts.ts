import { parseUrl } from './parse-url.ts'

export const EMBED_HOSTS = ['youtube', 'vimeo', 'loom'] as const

export type EmbedHost = (typeof EMBED_HOSTS)[number]

interface Player {
  /** Origin that a page must be allowed to frame. */
  readonly origin: string
  /** Returns the player URL for the URL of a video; undefined for any other page. */
  readonly playerOf: (url: URL) => string | undefined
}

const ID = String.raw`([\w-]{1,64})`
const YOUTUBE_HOST = /^(?:(?:www|m)\.)?youtube(?:-nocookie)?\.com$/

/** Each player is in the variant that sets the fewest cookies. */
const PLAYERS: Readonly<Record<EmbedHost, Player>> = {
  youtube: {
    origin: 'https://www.youtube-nocookie.com',
    playerOf: ({ hostname, pathname, searchParams }) => {
      const path = hostname === 'youtu.be' ? `/embed${pathname}` : pathname
      const [, id] =
        new RegExp(`^/(?:embed|shorts|live)/${ID}$`).exec(path) ??
        new RegExp(`^/watch/${ID}$`).exec(`${path}/${searchParams.get('v') ?? ''}`) ??
        []
      const isYoutube = hostname === 'youtu.be' || YOUTUBE_HOST.test(hostname)
      return isYoutube && id !== undefined
        ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`
        : undefined
    },
  },
  vimeo: {
    origin: 'https://player.vimeo.com',
    playerOf: ({ hostname, pathname }) => {
      const [, id] = /^\/(?:video\/)?(\d{1,20})$/.exec(pathname) ?? []
      return /^(?:(?:www|player)\.)?vimeo\.com$/.test(hostname) && id !== undefined
        ? `https://player.vimeo.com/video/${id}?dnt=1&autoplay=1`
        : undefined
    },
  },
  loom: {
    origin: 'https://www.loom.com',
    playerOf: ({ hostname, pathname }) => {
      const [, id] = new RegExp(`^/(?:share|embed)/${ID}$`).exec(pathname) ?? []
      return /^(?:www\.)?loom\.com$/.test(hostname) && id !== undefined
        ? `https://www.loom.com/embed/${id}?autoplay=1`
        : undefined
    },
  },
}

/** Returns the player URL for a video on one of `hosts`, or undefined for any other link. */
export function playerOf(href: string, hosts: readonly EmbedHost[]): string | undefined {
  const url = parseUrl(href)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return EMBED_HOSTS.filter((host) => hosts.includes(host))
    .map((host) => PLAYERS[host].playerOf(url))
    .find((player) => player !== undefined)
}

export function playerOrigins(hosts: readonly EmbedHost[]): readonly string[] {
  return hosts.map((host) => PLAYERS[host].origin)
}
