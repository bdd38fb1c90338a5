import { hashValue } from '../src/deliveries/values.ts'
import { createVault } from '../src/encryption/vault.ts'
import { createValueHashes } from '../src/encryption/value-hashes.ts'
import type { Kysely } from 'kysely'

/** Stores deliveries without encryption. */
export const plainSealing = { ...createVault(), hashes: { write: hashValue } }

/** The stores of a database without encryption. */
export function withoutEncryption(db: Kysely<unknown>) {
  const vault = createVault()
  return { vault, readHashes: createValueHashes(db, vault) }
}
