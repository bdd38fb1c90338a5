import { randomBytes } from 'node:crypto'
import { it } from 'vitest'

/** A database without encryption, and one with it. */
export const encryptions = [
  { name: 'plain', encryption: { keys: [], encryptsNew: false }, it },
  {
    name: 'encrypted',
    encryption: { keys: [randomBytes(32)] },
    it: (name: string, test: () => void | Promise<void>) => {
      // Encrypted values are longer.
      if (
        /maxBytes|by age and by total size|alternates between providers|bytes of stored bodies|data of the event of a notification/.test(
          name,
        )
      )
        it.skip(name, test)
      else it(name, test)
    },
  },
] as const
