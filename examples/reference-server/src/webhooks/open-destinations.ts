import { createDeclaredDestination, followDestinations } from '@sallyport/buses/destinations-file'
import { openManagedDestinations, type ManagedDestinations } from '@sallyport/webhooks/destinations'
import type { Config } from '../config/config.ts'
import type { Storage } from '../database/storage.ts'
import { createEndpointCipher } from '../endpoints/open-endpoints.ts'
import { type Logger, logOutage } from '../logging/log.ts'

const fileName = 'ROUTES_FILE'

export interface ServerDestinations {
  readonly destinations: ManagedDestinations
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Opens the destinations of ROUTES_FILE, of BUS_URL and of the database. */
export async function openServerDestinations(
  config: Config,
  storage: Pick<Storage, 'stores'>,
  log: Logger,
): Promise<ServerDestinations> {
  const { settings, providers } = config
  const declared = await followDestinations(settings.ROUTES_FILE, {
    ...{ name: fileName, first: config.destinations, read: config.readDestinations },
    onChange: (destinations) => {
      log.info({ destinations }, `${fileName} has changed: its destinations are in use`)
    },
    onError: logOutage(log, `${fileName} has problems: the last valid destinations stay in use`),
  })
  const destinations = await openManagedDestinations({
    ...{ store: storage.stores.destinations().managed, cipher: createEndpointCipher(config), declared },
    open: (declaration, secrets) =>
      createDeclaredDestination(declaration, {
        ...{ secrets, providers, allowPrivate: settings.DESTINATION_ALLOW_PRIVATE },
      }),
    onError: logOutage(log, 'Destinations of the database cannot be opened'),
  })
  return {
    destinations,
    notices: declared.notices,
    async close() {
      await Promise.all([destinations.close(), declared.close()])
    },
  }
}
