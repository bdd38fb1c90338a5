/** Explains why a replay under the same ids may change nothing for consumers; null when no event was published before. */
export function republishedNote(republished: number): string | null {
  if (republished === 0) return null
  return 'Events that were published before keep their ids, and a bus that still knows an id stores nothing. Send {"as_new": true} when consumers need them again.'
}
