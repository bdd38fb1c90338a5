/**
 * A filter of events by provider, endpoint, name and data, for destinations. It needs `zod`.
 *
 * @module
 */
export { createEventFilter, eventFilterSchema, type EventFilter } from './filter.ts'
