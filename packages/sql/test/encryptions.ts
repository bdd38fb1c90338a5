import { randomBytes } from 'node:crypto'
import { it } from 'vitest'

/** A database without encryption, and one with it. */
export const encryptions = [
  { name: 'plain', encryption: { keys: [], encryptsNew: false }, it },
  {
    name: 'encrypted',
    encryption: { keys: [randomBytes(32)] },
    // Encrypted values are longer: tests that count exact sizes run with the plain database only.
    it: (name: string, test: () => void | Promise<void>) => {
      if (!exactSizes.test(name)) it(name, test)
    },
  },
] as const

const exactSizes =
  /maxBytes|by age and by total size|alternates between providers|bytes of stored bodies|data of the event of a notification/
