import type { operations } from '../api/schema.ts'

/** An event of the list and of the stream. */
export type PublishedEvent =
  operations['listEvents']['responses'][200]['content']['application/json']['data'][number]
