import { findKind, toKind } from '@sallyport/internal/kind'

/** How a name relates to the names that a service writes; `altered` is another name with the kind of one of them. */
export type Listing = 'listed' | 'unlisted' | 'altered'

/**
 * Creates a search for the name of an event in the list of a service. Without a list, each name is listed.
 *
 * @param parts the number of parts of a kind, of which the name is the first
 * @throws TypeError for a listed name that is not readable
 */
export function createListing(
  names: readonly string[] | undefined,
  parts: number,
): (name: string) => Listing {
  if (names === undefined) return () => 'listed'
  const listed = new Map(names.map((name) => [toKind(name), name]))
  return (name) => {
    const kind = findKind(name) ?? ''
    const written = listed.get(kind)
    if (written !== undefined) return written === name ? 'listed' : 'altered'
    // `issue.created` without a second part has the kind of `issue` with one.
    return parts > 1 && kind.includes('.') ? 'altered' : 'unlisted'
  }
}
