import { reencryptDestinations } from '@sallyport/webhooks/destinations'
import type { Config } from '../config/config.ts'
import { migrations, migrationTable } from '../database/migrations/index.ts'
import { openStorage } from '../database/storage.ts'
import type { Logger } from '../logging/log.ts'
import { createEndpointCipher, openStoredEndpoints } from './open-endpoints.ts'

/**
 * Encrypts the secrets of all endpoints, all destinations, and the keys of all stored values with the first of ENCRYPTION_KEYS.
 * Servers may run meanwhile.
 *
 * @returns a report
 * @throws Error without a key, and for a secret or a value that no key decrypts
 */
export async function reencrypt(config: Config, log: Logger): Promise<string> {
  if (config.encryptionKeys.length === 0)
    throw new Error('ENCRYPTION_KEYS is missing: set the new key before the old keys')
  const storage = await openStorage(config.settings, log, config.encryptionKeys)
  try {
    await storage.migrate(migrations, { table: migrationTable })
    const { managed } = storage.stores.destinations()
    const destinations = await reencryptDestinations(managed, createEndpointCipher(config))
    const endpoints = await openStoredEndpoints({ config, storage, log }).reencrypt()
    const { values, unreadable } = await storage.stores.rotateKeys()
    if (unreadable > 0) throw new Error(`no key opens ${unreadable} stored values: keep the old keys`)
    return `Endpoints with newly encrypted secrets: ${endpoints}
Destinations with newly encrypted secrets: ${destinations}
Stored values with newly encrypted keys: ${values}
The first key opens everything. Remove the other keys once no process encrypts with one of them.
`
  } finally {
    await storage.close()
  }
}
