import { databaseQueue, type DatabaseQueue } from '../queue/queue.ts'
import type { Storage } from './inbox.ts'

export const sqliteQueue = ({ commits, kysely, schema }: Storage): DatabaseQueue =>
  databaseQueue({
    kysely,
    schema,
    enqueue: (events, bytes) => commits.run('enqueue', { events }, { bytes }),
  })
