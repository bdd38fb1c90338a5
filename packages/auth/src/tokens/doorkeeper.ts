/** Keeps out of a cache what comes for the first time. */
export interface Doorkeeper {
  /** Whether the text came before, as far as that is remembered. From now on it did. */
  readonly admits: (text: string) => boolean
}

/**
 * Makes what asks of everything that would be cached to come twice (the doorkeeper of TinyLFU, Einziger, Friedman and
 * Manes, 2017): what comes once costs a cache as much as what comes a thousand times, and takes the place of that.
 *
 * It marks a place of a table for each text, and begins anew once `max` texts have come. One in eight is admitted at its
 * first coming at most, as its place was another's. Texts are told apart by their last 8 characters, which are expected
 * to be random, as those of a signature are.
 */
export function createDoorkeeper(max: number): Doorkeeper {
  const places = new Uint8Array(2 ** Math.ceil(Math.log2(Math.min(8 * max, maxPlaces) + 1)))
  const room = Math.min(max, maxPlaces / 8)
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

/** So many that the table takes 8 MB at most, for a cache of half a million and more. */
const maxPlaces = 1 << 22

function hashOf(text: string): number {
  let hash = 0
  for (let at = text.length - 8; at < text.length; at++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}
