import { randomBytes } from 'node:crypto'
import { it } from 'vitest'
import { memoryBodyStore } from './body-stores.ts'

/** Runs the tests that count no exact sizes: those of stored values differ. */
const itWithoutSizes = (name: string, test: () => void | Promise<void>) => {
  if (!exactSizes.test(name)) it(name, test)
}

/** A database without encryption, one with it, and one with its bodies in a store. */
export const encryptions = [
  { name: 'plain', encryption: { keys: [], encryptsNew: false }, bodies: undefined, it },
  {
    name: 'encrypted',
    encryption: { keys: [randomBytes(32)] },
    bodies: undefined,
    it: itWithoutSizes,
  },
  {
    name: 'stored',
    encryption: { keys: [randomBytes(32)] },
    bodies: { store: memoryBodyStore(), above: 0 },
    it: itWithoutSizes,
  },
] as const

const exactSizes =
  /maxBytes|by age and by total size|alternates between providers|bytes of stored bodies|data of the event of a notification/
