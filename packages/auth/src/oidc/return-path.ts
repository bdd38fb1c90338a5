/**
 * Returns a path of the origin to continue at after a login; `fallback` for another address, such as `//other.example` or
 * `/\other.example`, which browsers resolve to another origin.
 */
export function readReturnPath(path: unknown, origin: string, fallback: string): string {
  if (typeof path !== 'string' || path.length > 1000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path))
    return fallback
  const url = URL.parse(path, origin)
  return url?.origin === new URL(origin).origin ? url.pathname + url.search + url.hash : fallback
}
