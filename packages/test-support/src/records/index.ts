/**
 * Deliveries and events for tests of inboxes.
 *
 * @module
 */
export { claimAll, createDelivery, getDetail, listEventIds, settleAll } from '../../../testing/src/records.ts'
