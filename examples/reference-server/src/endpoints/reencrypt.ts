import { reencryptDestinations } from '@sallyport/webhooks/destinations'
import type { Config } from '../config/config.ts'
import { migrations, migrationTable } from '../database/migrations/index.ts'
import { openStorage } from '../database/storage.ts'
import type { Logger } from '../logging/log.ts'
import { createEndpointCipher, openStoredEndpoints } from './open-endpoints.ts'

/**
 * Encrypts the secrets of all endpoints and destinations with the first of ENCRYPTION_KEYS, and returns the number of changed ones. Servers
 * may run meanwhile.
 *
 * @throws Error without a key, and for a secret that no key decrypts
 */
export async function reencryptEndpoints(config: Config, log: Logger): Promise<number> {
  if (config.encryptionKeys.length === 0)
    throw new Error('ENCRYPTION_KEYS is missing: set the new key before the old keys')
  const storage = await openStorage(config.settings, log)
  try {
    await storage.migrate(migrations, { table: migrationTable })
    const { managed } = storage.stores.destinations()
    const destinations = await reencryptDestinations(managed, createEndpointCipher(config))
    return destinations + (await openStoredEndpoints({ config, storage, log }).reencrypt())
  } finally {
    await storage.close()
  }
}
