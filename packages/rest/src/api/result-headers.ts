import type { ResultHeaders } from '../route.ts'

/** The headers that the API sets or reads. */
const spellings = new Map(
  [
    'Allow',
    'Cache-Control',
    'Content-Security-Policy',
    'Content-Type',
    'ETag',
    'Referrer-Policy',
    'Vary',
    'X-Content-Type-Options',
    'X-Request-Id',
  ].map((name) => [name.toLowerCase(), name]),
)

/** The headers of a response, in the spelling of the API, and its cookies, which cannot be joined (RFC 6265, section 3). */
export interface SplitHeaders {
  readonly headers: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`. */
  readonly cookies: readonly string[]
}

/** @throws TypeError for several values of another header than `Set-Cookie` */
export function splitCookies(given: ResultHeaders = {}): SplitHeaders {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie') cookies.push(...[value].flat())
    else if (Array.isArray(value)) throw new TypeError(`Only Set-Cookie has several values: join ${name}`)
    else headers[spellings.get(lower) ?? name] = value as string
  }
  return { headers, cookies }
}
