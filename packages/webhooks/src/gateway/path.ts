import { badRequest } from './refusals.ts'

/** Excludes a user, a query and a fragment: no signed address would match. */
const publicOrigin = /^https?:\/\/[^/@?#\s][^@?#\s]*$/i

/**
 * Normalizes the base path of the providers: no slash at the end.
 *
 * @throws TypeError when the path does not begin with a slash
 */
export function normalizeBasePath(basePath = '/webhooks'): string {
  if (!/^(\/|$)/.test(basePath)) throw new TypeError('basePath must be a path')
  return basePath.replace(/\/+$/, '')
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
  return url?.replace(/\/+$/, '')
}

/**
 * Returns the provider segment of the path `<base path>/<provider>`, or undefined for any other path.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the segment is not percent-encoded UTF-8, or holds NUL
 */
export function parseProviderSegment(path: string, basePath: string): string | undefined {
  if (!path.startsWith(`${basePath}/`)) return undefined
  const segment = path.slice(basePath.length + 1)
  if (segment === '' || segment.includes('/')) return undefined
  if (!segment.includes('%')) return segment
  try {
    const decoded = decodeURIComponent(segment)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Malformed encoding gets the same answer as NUL.
  }
  throw badRequest('The path is not percent-encoded UTF-8')
}
