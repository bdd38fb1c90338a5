import { badRequest } from '../ports/refusals.ts'

/** Excludes a user, a query and a fragment: no signed address would match. */
const publicOrigin = /^https?:\/\/[^/@?#\s][^@?#\s]*$/i

/**
 * Normalizes the base path of the providers: no slash at the end.
 *
 * @throws TypeError when the path does not begin with a slash
 */
export function normalizeBasePath(basePath = '/webhooks'): string {
  if (!/^(\/|$)/.test(basePath)) throw new TypeError('basePath must be a path')
  return basePath.replace(/(?<!\/)\/+$/, '')
}

/**
 * Normalizes the public URL, which senders use before the path: an http or https origin, optionally with a path, and no
 * slash at the end.
 *
 * @throws TypeError for anything else
 */
export function normalizePublicUrl(url: string | undefined): string | undefined {
  if (url !== undefined && !(publicOrigin.test(url) && URL.canParse(url)))
    throw new TypeError('publicUrl must be an http(s) origin')
  return url?.replace(/(?<!\/)\/+$/, '')
}

/** The decoded segments of a path of the gateway. */
export interface WebhookPath {
  readonly provider: string
  readonly endpoint?: string
}

/**
 * Parses the path `<base path>/<provider>`, and `<base path>/<provider>/<endpoint>` if the gateway has endpoints. Returns
 * undefined for any other path.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when a segment is not percent-encoded UTF-8, or holds NUL
 */
export function parseWebhookPath(
  path: string,
  basePath: string,
  { hasEndpoints = false }: { readonly hasEndpoints?: boolean } = {},
): WebhookPath | undefined {
  if (!path.startsWith(`${basePath}/`)) return undefined
  const segments = path.slice(basePath.length + 1).split('/', 3)
  if (segments.length > (hasEndpoints ? 2 : 1) || segments.includes('')) return undefined
  const [provider = '', endpoint] = segments.map(decodeSegment)
  return endpoint === undefined ? { provider } : { provider, endpoint }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    const decoded = decodeURIComponent(segment)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Malformed encoding gets the same answer as NUL.
  }
  throw badRequest('The path is not percent-encoded UTF-8')
}
