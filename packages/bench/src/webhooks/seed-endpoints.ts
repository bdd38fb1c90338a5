import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite, type InboxTables } from '@sallyport/sql/sqlite'
import { createSecretCipher, parseEncryptionKeys } from '@sallyport/webhooks/endpoints'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { RunningSide } from '../frame/http.ts'
import { secret } from './delivery.ts'
import { startPeer, type InboxKind, type Stage } from './stage.ts'

export type EndpointDatabase = Exclude<InboxKind, 'memory'>

const encryptionKey = Buffer.alloc(32, 1).toString('base64')
const rowsPerStatement = 500

/** Creates a database with endpoints `e0` to `e<count - 1>`, and returns the environment of its gateway. */
export async function seedEndpoints(
  { directory, databaseUrl }: Stage,
  kind: EndpointDatabase,
  count: number,
): Promise<Readonly<Record<string, string>>> {
  const common = { INBOX: kind, ENDPOINTS: String(count), ENCRYPTION_KEYS: encryptionKey }
  if (kind === 'sqlite') {
    const data = await mkdtemp(join(directory, 'endpoints-'))
    const database = await openSqlite({ path: join(data, 'inbox.db') })
    await insert(database.kysely, count)
    await database.close()
    return { ...common, DATA_DIR: data }
  }
  const url = await databaseUrl()
  const database = await openPostgres({ url, migrate: true })
  await insert(database.kysely.$extendTables<InboxTables>(), count)
  await database.close()
  return { ...common, DATABASE_URL: url }
}

/** Starts a gateway with the endpoints of a seeded database. */
export const startWithEndpoints = (environment: Readonly<Record<string, string>>): Promise<RunningSide> =>
  startPeer('gateway', environment)

async function insert(db: Kysely<InboxTables>, count: number): Promise<void> {
  const cipher = createSecretCipher(parseEncryptionKeys([encryptionKey]))
  const now = Date.now()
  const createRow = async (index: number) => {
    const id = `e${index}`
    const value = await cipher.encrypt(secret, id)
    return {
      id,
      provider: 'codehost',
      name: `Customer ${index}`,
      search: `customer ${index}`,
      status: 'active' as const,
      secrets: JSON.stringify([{ id: 's', value, createdAt: now }]),
      labels: '{}',
      options: '{}',
      version: 1,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      change: index + 1,
    }
  }
  for (let start = 0; start < count; start += rowsPerStatement) {
    const indexes = Array.from({ length: Math.min(rowsPerStatement, count - start) }, (_, row) => start + row)
    await db
      .insertInto('endpoints')
      .values(await Promise.all(indexes.map(createRow)))
      .execute()
  }
  await db.updateTable('endpoint_changes').set({ value: count }).execute()
}
