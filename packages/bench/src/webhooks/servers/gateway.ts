// The gateway over node:http with the inbox of INBOX, and a dispatcher to a bus that discards events. With ENDPOINTS, the
// deliveries need an endpoint of the database; WARM looks up all endpoints first. PROVIDERS is the number of registered
// providers, of which one receives deliveries. ENCRYPT encrypts the stored deliveries.
import 'zod/compile'
import { codehost } from '@sallyport/providers/codehost'
import {
  createDispatcher,
  createGateway,
  createMemoryFailureLimiter,
  createMemoryInbox,
  staticSecrets,
  type CompleteInbox,
  type Publisher,
} from '@sallyport/webhooks'
import {
  createEndpoints,
  createSecretCipher,
  parseEncryptionKeys,
  type Endpoints,
  type EndpointStore,
} from '@sallyport/webhooks/endpoints'
import { createNodeListener } from '@sallyport/webhooks/node'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { announce, secret } from './settings.ts'

const {
  INBOX = 'memory',
  DATA_DIR = '',
  DATABASE_URL = '',
  ENCRYPT,
  ENDPOINTS = '0',
  ENCRYPTION_KEYS = '',
  PROVIDERS = '1',
  WARM,
} = process.env
const endpointCount = Number(ENDPOINTS)

interface Storage {
  readonly inbox: CompleteInbox
  readonly store?: EndpointStore
}

async function openStorage(): Promise<Storage> {
  if (INBOX === 'memory') return { inbox: createMemoryInbox() }
  const encryption = ENCRYPT ? { encryption: { keys: [randomBytes(32)] } } : {}
  if (INBOX === 'sqlite') {
    const { openSqlite } = await import('@sallyport/sql/sqlite')
    const database = await openSqlite({ path: join(DATA_DIR, 'inbox.db'), ...encryption })
    return { inbox: database.inbox(), store: database.endpoints() }
  }
  const { openPostgres } = await import('@sallyport/sql/postgres')
  const database = await openPostgres({ url: DATABASE_URL, migrate: true, ...encryption })
  return { inbox: database.inbox(), store: database.endpoints() }
}

async function openEndpoints(store: EndpointStore): Promise<Endpoints> {
  const cipher = createSecretCipher(parseEncryptionKeys([ENCRYPTION_KEYS]))
  const endpoints = createEndpoints({ store, cipher })
  if (WARM === undefined) return endpoints
  for (let start = 0; start < endpointCount; start += 1000) {
    const ids = Array.from(
      { length: Math.min(1000, endpointCount - start) },
      (_, index) => `e${start + index}`,
    )
    await Promise.all(ids.map(async (id) => endpoints.find(id)))
  }
  return endpoints
}

const { inbox, store } = await openStorage()
const endpoints = store && endpointCount > 0 ? await openEndpoints(store) : undefined
const publisher: Publisher = { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) }
const dispatcher = createDispatcher({ inbox, publisher })
dispatcher.start()
const others = Array.from({ length: Number(PROVIDERS) - 1 }, (_, index) => ({
  ...codehost,
  name: `codehost-${index}`,
}))
const providers = [...others, codehost]
const gateway = createGateway({
  providers,
  secrets: staticSecrets(Object.fromEntries(providers.map(({ name }) => [name, [secret]]))),
  ...(endpoints && { endpoints, endpointLimiter: createMemoryFailureLimiter({ failures: 1_000_000_000 }) }),
  inbox,
  dispatcher,
})

announce(createServer(createNodeListener(gateway)).listen(0, '127.0.0.1'))
