import type { EndpointSource } from '@sallyport/webhooks'
import { SallyportError } from '@sallyport/errors'
import type { AuditLog } from '@sallyport/webhooks/audit'
import {
  createEndpoints,
  createSecretCipher,
  type Endpoints,
  type SecretCipher,
} from '@sallyport/webhooks/endpoints'
import type { Config } from '../config/config.ts'
import { deriveKeys } from '../config/derived-keys.ts'
import { encryptionKeysName } from '../config/encryption-keys.ts'
import type { Storage } from '../database/storage.ts'
import type { DeclaredEndpoints } from './watch-endpoints-file.ts'
import { type Logger, logOutage } from '../logging/log.ts'

/** The endpoints of the server, and their maintenance. */
export interface ServerEndpoints {
  readonly endpoints: Endpoints
  /** Encrypts stored responses with secrets. */
  readonly responseCipher: SecretCipher
  /** Releases the ids of endpoints that were deleted before a time in milliseconds since the epoch. */
  readonly prune: (before: number) => Promise<number>
}

export function openEndpoints({
  config,
  storage,
  log,
  audit,
}: {
  readonly config: Pick<Config, 'encryptionKeys' | 'jwtSecrets'>
  readonly storage: Pick<Storage, 'stores'>
  readonly log: Pick<Logger, 'debug' | 'error'>
  /** Records the secrets that handshakes establish. @default no record */
  readonly audit?: Pick<AuditLog, 'record'>
}): ServerEndpoints {
  const store = storage.stores.endpoints()
  const cipher = config.encryptionKeys.length > 0 ? createSecretCipher(config.encryptionKeys) : undefined
  const endpoints = createEndpoints({
    store,
    cipher: cipher ?? cipherWithoutKeys,
    onError: logOutage(log, 'Endpoints cannot be read'),
    onHandshake: async ({ id, provider, secretId }) => {
      const actor = { id: 'handshake', name: provider }
      const detail = { provider, secret_id: secretId }
      try {
        await audit?.record({ actor, action: 'endpoint.secret.establish', target: id, detail })
      } catch (err) {
        log.error({ err, endpoint: id }, 'The audit has no entry for a secret of a handshake')
      }
    },
  })
  return {
    endpoints,
    // Without ENCRYPTION_KEYS the responses contain no secrets, but they are stored nevertheless.
    responseCipher: cipher ?? createSecretCipher(deriveKeys(config.jwtSecrets, 'responses of endpoints')),
    prune: (before) => store.prune(before),
  }
}

/** Describes endpoints whose secrets have no key, which a check of the newest endpoints finds. */
export async function describeUnreadable(endpoints: Endpoints): Promise<string | undefined> {
  const newest = await endpoints.list({ order: 'newest', limit: 100 })
  const found = await Promise.allSettled(newest.map(async ({ id }) => endpoints.find(id)))
  const { length } = found.filter(({ status }) => status === 'rejected')
  return length === 0
    ? undefined
    : `The secrets of ${length} of the newest ${newest.length} endpoints have no key: add it to ${encryptionKeysName}`
}

/** Refuses to create an endpoint with the id of a declared one. */
export function protectDeclared(
  declared: Pick<DeclaredEndpoints, 'get'> | undefined,
  stored: Endpoints,
): Endpoints {
  return {
    ...stored,
    create(endpoint, options) {
      if (endpoint.id !== undefined && declared?.get(endpoint.id) !== undefined)
        throw new SallyportError('CONFLICT', 'ENDPOINTS_FILE declares this id: choose another id')
      return stored.create(endpoint, options)
    },
  }
}

/** Finds declared endpoints before stored ones. */
export function combineEndpoints(
  declared: Pick<DeclaredEndpoints, 'get'> | undefined,
  stored: Endpoints,
): EndpointSource {
  return {
    find: (id) => declared?.get(id) ?? stored.find(id),
    establishSecret: (id, secret, options) =>
      declared?.get(id) === undefined && stored.establishSecret(id, secret, options),
  }
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
