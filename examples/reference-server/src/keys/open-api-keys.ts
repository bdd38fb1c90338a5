import { createApiKeys, type ApiKeys } from '@sallyport/auth'
import { kyselyApiKeyStore } from '@sallyport/sql/keys'
import type { Storage } from '../database/storage.ts'
import type { UserRow } from '../database/tables.ts'
import { logOutage, type Logger } from '../logging/log.ts'
import type { Users } from '../users/repository.ts'
import { isActiveAdmin } from '../users/transactions.ts'

/** Opens the API keys of operators. A key works while its owner is an active admin. */
export function openApiKeys({
  storage,
  users,
  log,
}: {
  readonly storage: Pick<Storage, 'db' | 'reads'>
  readonly users: Pick<Users, 'find'>
  readonly log: Pick<Logger, 'debug' | 'error'>
}): ApiKeys<UserRow> {
  return createApiKeys({
    store: kyselyApiKeyStore(storage.db, { reads: storage.reads }),
    async getOwner(id) {
      const user = await users.find({ id })
      return isActiveAdmin(user) ? user : undefined
    },
    onError: logOutage(log, 'The last use of API keys cannot be stored'),
  })
}
