/** Index entries have a maximum size. */
const maxBytes = 1000

/**
 * Returns the destinations that an event waits for as stored text, or null for none. Equal sets have equal texts. Names beyond
 * the maximum size are left out: their recovery does not end the wait of the event.
 */
export function toAwaitedTargets(names: readonly string[] = []): string | null {
  let stored: string | null = null
  const kept: string[] = []
  for (const name of new Set(names.toSorted())) {
    const longer = JSON.stringify([...kept, name])
    if (Buffer.byteLength(longer) > maxBytes) continue
    kept.push(name)
    stored = longer
  }
  return stored
}

/** Reads the names of stored destinations. */
export const readAwaitedTargets = (stored: string): readonly string[] =>
  JSON.parse(stored) as readonly string[]
