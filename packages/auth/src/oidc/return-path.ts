/** A path that browsers resolve to the same origin. `//other.example` and `/\other.example` are other origins. */
const ownPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/

/** Returns a path of the origin to continue at after a login; `fallback` for another address. */
export function readReturnPath(path: unknown, origin: string, fallback: string): string {
  if (typeof path !== 'string' || path.length > 1000 || !ownPath.test(path)) return fallback
  const url = URL.parse(path, origin)
  if (url?.origin !== new URL(origin).origin) return fallback
  const resolved = url.pathname + url.search + url.hash
  // Without its dots, `/a/..//other.example` is another address.
  return ownPath.test(resolved) ? resolved : fallback
}
