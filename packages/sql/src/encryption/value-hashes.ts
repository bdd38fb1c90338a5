import { createHmac, createSecretKey } from 'node:crypto'
import type { MaybePromise } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { hashValue } from '../deliveries/values.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { Vault } from './vault.ts'

/** Hashes the values that find deliveries. */
export interface ValueHashes {
  /** Returns the hash of a new row. */
  readonly write: (value: string) => bigint
  /** Returns the hashes by which rows have stored the value. */
  readonly find: (value: string) => readonly bigint[]
}

/**
 * Returns the hashes; those to write at once when they are known, also in a transaction.
 *
 * @throws the errors of the database and of a vault
 */
export type ReadHashes = (use?: 'write') => MaybePromise<ValueHashes>

/**
 * Creates a function that reads the key of the hashes. Without the key, a hash of an email address is found by hashing all
 * known addresses. The ring wraps the key: the hashes outlive the keys of the ring.
 */
export function createValueHashes<Tables>(database: Kysely<Tables>, vault: Vault): ReadHashes {
  const db = database as unknown as Kysely<InboxTables>
  let known = vault.hasKeys ? undefined : plain
  let readAt = -Infinity
  let reading: Promise<ValueHashes> | undefined
  const readKey = async () => {
    const row = await db
      .selectFrom('encryption_keys')
      .select('key')
      .where('name', '=', name)
      .executeTakeFirst()
    return row && vault.open(row.key, context)
  }

  async function readHashes(): Promise<ValueHashes> {
    readAt = performance.now()
    let key = await readKey()
    const fresh = vault.newKey()
    if (key === undefined && fresh !== undefined) {
      await db
        .insertInto('encryption_keys')
        .values({ name, key: vault.seal(fresh.key.export().toString('hex'), context) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // Another process may have been faster.
      key = await readKey()
    }
    if (key === undefined) return plain
    // Node.js takes an object of a key faster than its bytes.
    const secret = createSecretKey(key, 'hex')
    vault.subjects.unlock(secret)
    const keyed = (value: string) => createHmac('sha256', secret).update(value).digest().readBigInt64BE()
    return {
      write: fresh === undefined ? hashValue : keyed,
      find: (value) => [hashValue(value), keyed(value)],
    }
  }

  return (use) => {
    // Another process may have begun to encrypt since. This one writes plain rows.
    const isStale =
      use !== 'write' && known === plain && vault.hasKeys && performance.now() - readAt > plainMs
    return (
      (isStale ? undefined : known) ??
      (reading ??= readHashes()
        .then((hashes) => (known = hashes))
        .finally(() => {
          reading = undefined
        }))
    )
  }
}

/** How long a process that does not encrypt relies on a database without a key, in milliseconds. */
const plainMs = 1000

const name = 'search'
const context = `encryption_keys ${name}`
const plain: ValueHashes = { write: hashValue, find: (value) => [hashValue(value)] }
