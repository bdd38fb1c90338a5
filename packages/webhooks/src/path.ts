import { badRequest } from './refusals.ts'

/**
 * The path that providers are found under, without a slash at its end.
 *
 * @throws TypeError when it does not begin with one
 */
export function normalBasePath(basePath = '/webhooks'): string {
  const trimmed = basePath.replace(/\/+$/, '')
  if (trimmed !== '' && !trimmed.startsWith('/'))
    throw new TypeError(`A base path begins with a slash: "${basePath}"`)
  return trimmed
}

/**
 * The segment that names the provider in `<base path>/<provider>`; undefined for every other path.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the segment is not percent-encoded UTF-8, or holds NUL
 */
export function providerSegment(path: string, basePath: string): string | undefined {
  if (!path.startsWith(basePath) || path[basePath.length] !== '/') return undefined
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
