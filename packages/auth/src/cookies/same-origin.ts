import { SallyportError } from '@sallyport/errors'

/** The parts of a request that cookies need, as in `ApiRequest` of `@sallyport/rest`. */
export interface CookieRequest {
  readonly method: string
  /** Returns the value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** The header that a page sends with every request that changes something. Forms and other origins cannot send it. */
const csrfHeader = 'X-CSRF-Protection'

/**
 * Requires that a page of the same origin sent a request: by `Sec-Fetch-Site`, or by `Origin` in browsers without it. A
 * request that changes something also needs the header `X-CSRF-Protection: 1`.
 *
 * @throws SallyportError 403 `CSRF_REJECTED`
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function requireSameOrigin({ method, header }: CookieRequest): void {
  const isSafe = method === 'GET' || method === 'HEAD'
  const site = header('sec-fetch-site')
  const isOwn = site === undefined ? hasOwnOrigin(header, isSafe) : isOwnSite(site, isSafe)
  if (!isOwn) {
    throw new SallyportError(
      'CSRF_REJECTED',
      'Another site sent this request: send it from a page of the API',
    )
  }
  if (!isSafe && header(csrfHeader.toLowerCase()) !== '1') {
    throw new SallyportError(
      'CSRF_REJECTED',
      `A request with a session cookie needs the header ${csrfHeader}: 1`,
    )
  }
}

/** A user who opens an address sends `none`; no script can send a request with it. */
const isOwnSite = (site: string, isSafe: boolean): boolean =>
  site === 'same-origin' || (isSafe && site === 'none')

function hasOwnOrigin(header: CookieRequest['header'], isSafe: boolean): boolean {
  const origin = header('origin')
  if (origin === undefined) return isSafe
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase()
}
