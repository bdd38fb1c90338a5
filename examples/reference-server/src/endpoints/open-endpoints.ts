import { SallyportError } from '@sallyport/errors'
import {
  createEndpoints,
  createSecretCipher,
  type Endpoints,
  type SecretCipher,
} from '@sallyport/webhooks/endpoints'
import { openEndpointsFile } from '@sallyport/webhooks/endpoints-file'
import type { Config } from '../config/config.ts'
import { encryptionKeysName } from '../config/encryption-keys.ts'
import type { Storage } from '../database/storage.ts'
import { type Logger, logOutage } from '../logging/log.ts'

export const endpointsFileName = 'ENDPOINTS_FILE'

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
  const { log } = context
  const declared = await openEndpointsFile(path, {
    ...{ providers, secrets, name: endpointsFileName },
    onChange: (endpoints) => {
      log.info({ endpoints }, `${endpointsFileName} has changed: its endpoints are in use`)
    },
    onError: logOutage(log, `${endpointsFileName} has problems: the last valid endpoints stay in use`),
  })
  return {
    ...declared,
    endpoints: {
      ...stored,
      declared: declared.declared,
      find: (id) => declared.find(id) ?? stored.find(id),
      establishSecret: async (id, secret, options) =>
        declared.find(id) === undefined && stored.establishSecret(id, secret, options),
      create(endpoint, options) {
        if (endpoint.id !== undefined && declared.find(endpoint.id) !== undefined)
          throw new SallyportError('CONFLICT', `${endpointsFileName} declares this id: choose another id`)
        return stored.create(endpoint, options)
      },
    },
  }
}

export function openStoredEndpoints({ config, storage, log }: EndpointsContext): Endpoints {
  const audit = storage.stores.audit()
  return createEndpoints({
    store: storage.stores.endpoints(),
    cipher: createEndpointCipher(config),
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

/** Creates the cipher of the secrets of endpoints and destinations. Without a key, it refuses them. */
export const createEndpointCipher = ({ encryptionKeys }: Pick<Config, 'encryptionKeys'>): SecretCipher =>
  encryptionKeys.length > 0 ? createSecretCipher(encryptionKeys) : cipherWithoutKeys

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
