/**
 * The parts of `createWebhooks` and `createMemoryDatabase` that tests of other packages create alone.
 *
 * @module
 */
export { createMemoryAlertStore } from '../../../webhooks/src/alerts/store.ts'
export { createMemoryAuditLog } from '../../../webhooks/src/audit/memory-audit-log.ts'
export { createMemoryEndpointStore } from '../../../webhooks/src/endpoints/memory-store.ts'
export { createTestDeliverySender } from '../../../webhooks/src/endpoints/test-deliveries.ts'
export { createEraser } from '../../../webhooks/src/operations/eraser.ts'
export { createMemoryProcessStore } from '../../../webhooks/src/processes/memory-store.ts'
export { createMemoryReplayJobStore } from '../../../webhooks/src/replay-jobs/memory-store.ts'
export { createReplayJobs } from '../../../webhooks/src/replay-jobs/replay-jobs.ts'
export { flipBit, flipCharacter } from '../../../webhooks/src/testing/mutations.ts'
export { createMemoryTrafficStore } from '../../../webhooks/src/traffic/memory-store.ts'
export { createTrafficRecorder } from '../../../webhooks/src/traffic/recorder.ts'
export { createMemoryUnprocessedStore } from '../../../webhooks/src/unprocessed/memory-store.ts'
export { testReplayJobs } from './replay-jobs.ts'
