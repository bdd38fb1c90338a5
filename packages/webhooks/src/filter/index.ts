/**
 * A filter of events by provider, endpoint, name and data, and the declaration of a destination with one. It needs `zod`.
 *
 * @module
 */
export {
  destinationSchema,
  managedDestinationSchema,
  type DestinationDeclaration,
  type ManagedDestinationDeclaration,
} from './destination-schema.ts'
export { createEventFilter, eventFilterSchema, type EventFilter } from './filter.ts'
