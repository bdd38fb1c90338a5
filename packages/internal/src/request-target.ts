/**
 * Removes scheme and host of the target of a request: a proxy may send an absolute URL. Without a path, the result begins
 * with a slash.
 *
 * @see RFC 9112, section 3.2.2
 */
export function toOriginForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
}
