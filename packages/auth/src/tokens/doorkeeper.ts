/** Keeps out of a cache what comes for the first time. */
export interface Doorkeeper {
  /** Whether the text came before, as far as that is remembered. From now on it did. */
  readonly admits: (text: string) => boolean
}

/**
 * Makes a doorkeeper, as TinyLFU has one (Einziger, Friedman and Manes, 2017): what comes once would cost a cache as much
 * as what comes a thousand times, and take the place of that.
 *
 * It marks a place of a table for each text, and wipes the table when another comes while `max` are marked. At most one
 * text in eight is admitted at its first coming, as another has marked its place.
 */
export function createDoorkeeper(max: number): Doorkeeper {
  const room = Math.max(1, Math.min(max, maxRoom))
  const places = new Uint8Array(2 ** Math.ceil(Math.log2(8 * room)))
  let marked = 0

  return {
    admits(text) {
      const place = hashOf(text) & (places.length - 1)
      if (places[place] === 1) return true
      if (marked === room) {
        places.fill(0)
        marked = 0
      }
      places[place] = 1
      marked++
      return false
    },
  }
}

/** The table takes 4 MB then. */
const maxRoom = 1 << 19

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}
