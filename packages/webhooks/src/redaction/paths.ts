/** A place in a value: the positions in all paths that a deeper place may match. Empty if none can. */
export type Place = readonly number[]

/** The compiled paths of a provider. */
export interface Paths {
  readonly start: Place
  /** Returns the place of a member or an element. */
  readonly step: (place: Place, name: string) => Place
  /** Whether a path ends at the place. */
  readonly matches: (place: Place) => boolean
  /** The lower-case names of headers. */
  readonly headers: ReadonlySet<string>
}

const headerPrefix = 'header:'
const maxPaths = 100
const maxSegments = 20
const maxLength = 200

/** Ends a path in the list of all segments. No segment is empty. */
const end = ''

/**
 * Compiles paths: `data.object.email`, where `*` is any member or element and `**` is any number of them, and `header:x-email`.
 *
 * @throws TypeError for an empty part, and for more than 100 paths, 20 parts or 200 characters
 */
export function compilePaths(paths: readonly string[]): Paths {
  if (paths.length > maxPaths) throw new TypeError(`There are more than ${maxPaths} paths`)
  const headers = new Set<string>()
  const segments: string[] = []
  const starts: number[] = []
  for (const path of paths) {
    if (path.length > maxLength) throw new TypeError(`A path is longer than ${maxLength} characters`)
    if (path.startsWith(headerPrefix))
      headers.add(requireName(path.slice(headerPrefix.length).toLowerCase(), path))
    else {
      starts.push(segments.length)
      segments.push(...split(path), end)
    }
  }

  /** Adds the positions after `**`, which may stand for nothing. */
  function expand(positions: Iterable<number>): Place {
    const all = new Set<number>()
    for (let position of positions) {
      all.add(position)
      while (segments[position] === '**') all.add((position += 1))
    }
    return [...all]
  }

  return {
    headers,
    start: expand(starts),
    step: (place, name) =>
      expand(
        place.flatMap((position) => {
          const segment = segments[position]
          if (segment === '**') return [position]
          return segment !== end && (segment === '*' || segment === name) ? [position + 1] : []
        }),
      ),
    matches: (place) => place.some((position) => segments[position] === end),
  }
}

function split(path: string): readonly string[] {
  const parts = path.split('.')
  if (parts.length > maxSegments) throw new TypeError(`A path has more than ${maxSegments} parts`)
  if (parts.every((part) => part === '**')) throw new TypeError(`The path "${path}" names the whole body`)
  return parts.map((part) => requireName(part, path))
}

function requireName(name: string, path: string): string {
  if (name === '') throw new TypeError(`The path "${path}" has an empty part`)
  return name
}
