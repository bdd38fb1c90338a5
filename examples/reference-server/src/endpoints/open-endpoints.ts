import { SallyportError } from '@sallyport/errors'
import {
  createEndpoints,
  createSecretCipher,
  type Endpoints,
  type SecretCipher,
} from '@sallyport/webhooks/endpoints'
import type { Config } from '../config/config.ts'
import { encryptionKeysName } from '../config/encryption-keys.ts'
import type { Storage } from '../database/storage.ts'
import { type Logger, logOutage } from '../logging/log.ts'
import { watchEndpointsFile } from './watch-endpoints-file.ts'

/** The endpoints of ENDPOINTS_FILE and of the database. */
export interface ServerEndpoints {
  readonly endpoints: Endpoints
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  readonly close: () => void
}

export interface EndpointsContext {
  readonly config: Pick<Config, 'settings' | 'encryptionKeys' | 'providers' | 'secrets'>
  readonly storage: Pick<Storage, 'stores'>
  readonly log: Logger
}

/** Opens the endpoints. Declared endpoints are found before stored ones, and their ids are refused for new ones. */
export async function openEndpoints(context: EndpointsContext): Promise<ServerEndpoints> {
  const { providers, secrets, settings } = context.config
  const { ENDPOINTS_FILE: path } = settings
  const stored = openStoredEndpoints(context)
  if (path === undefined) return { endpoints: stored, notices: () => [], close: () => undefined }
  const declared = await watchEndpointsFile({ path, providers, secrets, log: context.log })
  return {
    notices: declared.notices,
    close: declared.stop,
    endpoints: {
      ...stored,
      find: (id) => declared.get(id) ?? stored.find(id),
      establishSecret: async (id, secret, options) =>
        declared.get(id) === undefined && stored.establishSecret(id, secret, options),
      create(endpoint, options) {
        if (endpoint.id !== undefined && declared.get(endpoint.id) !== undefined)
          throw new SallyportError('CONFLICT', 'ENDPOINTS_FILE declares this id: choose another id')
        return stored.create(endpoint, options)
      },
    },
  }
}

export function openStoredEndpoints({ config, storage, log }: EndpointsContext): Endpoints {
  const { encryptionKeys } = config
  const audit = storage.stores.audit()
  return createEndpoints({
    store: storage.stores.endpoints(),
    cipher: encryptionKeys.length > 0 ? createSecretCipher(encryptionKeys) : cipherWithoutKeys,
    onError: logOutage(log, 'Endpoints cannot be read'),
    onHandshake: async ({ id, provider, secretId }) => {
      const actor = { id: 'handshake', name: provider }
      const detail = { provider, secret_id: secretId }
      try {
        await audit.record({ actor, action: 'endpoint.secret.establish', target: id, detail })
      } catch (err) {
        log.error({ err, endpoint: id }, 'The audit has no entry for a secret of a handshake')
      }
    },
  })
}

/** Describes endpoints whose secrets have no key, which a check of the newest endpoints finds. */
export async function describeUnreadable(endpoints: Endpoints): Promise<readonly string[]> {
  const newest = await endpoints.list({ order: 'newest', limit: 100 })
  const found = await Promise.allSettled(newest.map(async ({ id }) => endpoints.find(id)))
  const { length } = found.filter(({ status }) => status === 'rejected')
  return length === 0
    ? []
    : [
        `The secrets of ${length} of the newest ${newest.length} endpoints have no key: add it to ${encryptionKeysName}`,
      ]
}

const missingKeys = `Set ${encryptionKeysName} to 32 random bytes, such as the output of openssl rand -base64 32`

/** Refuses to store and to read secrets. */
const cipherWithoutKeys: SecretCipher = {
  encrypt() {
    throw new SallyportError('CONFLICT', `The server stores no secret without a key. ${missingKeys}`)
  },
  decrypt() {
    throw new Error(`Secrets of endpoints cannot be read: ${missingKeys}`)
  },
  isCurrent: () => false,
}
