/**
 * A publisher that inserts events as jobs into a queue of pg-boss.
 *
 * @module
 */
export {
  createPgBossPublisher,
  toPgBossJobId,
  type PgBossClient,
  type PgBossPublisherOptions,
} from './publisher.ts'
