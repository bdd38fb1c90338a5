/**
 * Reads a cookie from the value of a `Cookie` header. Of several cookies with one name, browsers send the one with the longest
 * path first, and the first counts.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.4
 */
export function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at === -1 || pair.slice(0, at).trim() !== name) continue
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    try {
      return decodeURIComponent(value)
    } catch {
      return value
    }
  }
  return undefined
}
