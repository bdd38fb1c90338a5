import { databaseQueue, type DatabaseQueue } from '../queue/queue.ts'
import type { Storage } from './inbox.ts'

export const sqliteQueue = ({ commits, kysely, schema, vault }: Storage): DatabaseQueue =>
  databaseQueue({
    kysely,
    schema,
    vault,
    enqueue: (events, bytes) => commits.run('enqueue', { events }, { bytes }),
  })
