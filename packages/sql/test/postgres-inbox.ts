import type { DeliveryRecord } from '@sallyport/webhooks'
import { afterAll, beforeAll } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import type { PostgresOptions } from '../src/postgres/options.ts'
import { getDelivery } from './records.ts'

/** Creates databases of separate processes on one server, with the tables of the inbox. */
export function openProcesses(
  count: number,
  connection: () => PostgresOptions,
): (index?: number) => PostgresDatabase {
  const databases: PostgresDatabase[] = []
  beforeAll(async () => {
    for (let index = 0; index < count; index++) databases.push(await openPostgres(connection()))
    await databases[0]?.migrate()
  })
  afterAll(() => Promise.all(databases.map((database) => database.close())))
  return (index = 0) => {
    const database = databases[index]
    if (database === undefined) throw new Error('Ask for a database within a test')
    return database
  }
}

/** One delivery of several events. */
export function deliveryOfAll(keys: readonly string[]): DeliveryRecord {
  const delivery = getDelivery(keys[0] ?? '')
  return {
    ...delivery,
    events: keys.map((id) => {
      const { event, ...record } = delivery.events[0]!
      return { ...record, event: { ...event, id } }
    }),
  }
}
