/**
 * A publisher that inserts events as jobs into a queue of pg-boss.
 *
 * @module
 */
export { createPgBossPublisher, toPgBossJobId } from './publisher.ts'
