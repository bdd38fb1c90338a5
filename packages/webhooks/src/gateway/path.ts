import { badRequest } from './refusals.ts'

/** With a user, a query or a fragment in it, no signature over an address would hold. */
const publicOrigin = /^https?:\/\/[^/@?#\s][^@?#\s]*$/i

/**
 * The path that providers are found under, without a slash at its end.
 *
 * @throws TypeError when it does not begin with a slash
 */
export function normalBasePath(basePath = '/webhooks'): string {
  if (!/^(\/|$)/.test(basePath)) throw new TypeError('basePath must be a path')
  return basePath.replace(/\/+$/, '')
}

/**
 * What senders' addresses have in front of the path, without a slash at its end: an http or https origin, perhaps with a
 * path.
 *
 * @throws TypeError for anything else
 */
export function normalPublicUrl(url: string | undefined): string | undefined {
  if (url !== undefined && !(publicOrigin.test(url) && URL.canParse(url)))
    throw new TypeError('publicUrl must be an http(s) origin')
  return url?.replace(/\/+$/, '')
}

/**
 * The segment that names the provider in `<base path>/<provider>`; undefined for every other path.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the segment is not percent-encoded UTF-8, or holds NUL
 */
export function providerSegment(path: string, basePath: string): string | undefined {
  if (!path.startsWith(`${basePath}/`)) return undefined
  const segment = path.slice(basePath.length + 1)
  if (segment === '' || segment.includes('/')) return undefined
  if (!segment.includes('%')) return segment
  try {
    const decoded = decodeURIComponent(segment)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Answered like NUL.
  }
  throw badRequest('The path is not percent-encoded UTF-8')
}
