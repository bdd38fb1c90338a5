import { z } from 'zod'
import { endpointNameShape } from '../endpoints/names.ts'
import { id, time } from '@sallyport/internal/resource-fields'
import { anyCriterion, criteriaShape, deliveryStatuses, hasCriterion, requireCriterion } from './criteria.ts'

const status = z.enum(deliveryStatuses)
const count = z
  .int()
  .nonnegative()
  .meta({ examples: [1] })
const provider = z.string().meta({ examples: ['codehost'] })

const endpoint = z
  .string()
  .nullable()
  .meta({
    description: 'The id of the endpoint; null for the address without an endpoint.',
    examples: [null],
  })

const summary = {
  id,
  provider,
  endpoint,
  ...endpointNameShape,
  status,
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason for the quarantine.', examples: [null] }),
  reason_detail: z
    .string()
    .nullable()
    .meta({
      description:
        'Where a quarantined delivery does not fit the schema: the path and the code of each issue, without values.',
      examples: [null],
    }),
  body_state: z.enum(['stored', 'pruned', 'erased']),
  body_bytes: count.meta({ description: 'The length of the received body.', examples: [19_710] }),
  kind: z
    .string()
    .nullable()
    .meta({
      description: 'The kind of the first event: its name without the provider. Null without events.',
      examples: ['workflow_run.completed'],
    }),
  subject: z
    .string()
    .nullable()
    .meta({
      description: 'The subject of the first event.',
      examples: ['octo-org/octo-repo/actions/runs/289782451'],
    }),
  attempts: count.meta({
    description: 'The most attempts to publish an event, including a successful attempt. 0 without events.',
  }),
  last_error: z
    .string()
    .nullable()
    .meta({
      description: 'The last error of the newest event that failed and is not published.',
      examples: [null],
    }),
}
const created_at = time.meta({ description: 'The time of the receipt.' })

/** A delivery in a list. */
export const deliveryResource = z
  .object({
    ...summary,
    event_counts: z
      .object({ pending: count, queued: count, published: count, dead: count })
      .meta({ description: 'The number of its events by state.' }),
    created_at,
  })
  .meta({ id: 'Delivery' })

export type DeliveryResource = z.infer<typeof deliveryResource>

/** The answer of a destination. */
export const destinationResponse = z
  .object({
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status; null without an answer.', examples: [503] }),
    duration_ms: count.meta({ examples: [120] }),
    body: z
      .string()
      .nullable()
      .meta({ description: 'The start of the body.', examples: ['Service Unavailable'] }),
  })
  .meta({ id: 'DestinationResponse', description: 'What a destination answered.' })

const attempts = {
  attempts: count.meta({
    description: 'The number of attempts since the event was last made due, including a successful one.',
  }),
  due_at: time.nullable(),
  failures: z
    .array(
      z.object({
        at: time,
        error: z.string().meta({ examples: ['TimeoutError'] }),
        response: destinationResponse.nullable(),
      }),
    )
    .meta({ description: 'The newest 20 failed attempts, oldest first.' }),
}

const notification = z.object({ state: z.enum(['waiting', 'pending', 'sent', 'dead']), ...attempts })

/** The destination of a row of an event. */
export const destinationName = z
  .string()
  .nullable()
  .meta({
    description: 'The destination that receives the event; null for the bus and the handlers.',
    examples: [null],
  })

const event = z
  .object({
    id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
    destination: destinationName,
    replay_of: z
      .string()
      .nullable()
      .meta({
        description: 'The id of the original event, if a replay gave the event a new id.',
        examples: [null],
      }),
    name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
    subject: z.string().meta({ examples: ['octo-org/octo-repo/actions/runs/289782451'] }),
    route: z.enum(['direct', 'queue']),
    state: z.enum(['pending', 'queued', 'published', 'dead']),
    ...attempts,
    lease_ends_at: time.nullable().meta({ description: 'The end of the lease of a process.' }),
    occurred_at: time,
    published_at: time.nullable(),
    duplicate: z.boolean().meta({
      description:
        'Whether the bus knew the id at the last publication, and stored nothing. A replay with `as_new` publishes the event under a new id.',
      examples: [false],
    }),
    notification: notification.nullable(),
  })
  .meta({ id: 'DeliveryEvent' })

/** A delivery with its content, events and attempts. */
export const deliveryDetail = z
  .object({
    ...summary,
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'By lower-case name; secrets and signatures are redacted.' }),
    query: z
      .string()
      .nullable()
      .meta({
        description:
          'The query of the request without `?`; credentials are redacted. Null without a query, and after erasure.',
        examples: [null],
      }),
    body: z
      .object({ encoding: z.enum(['utf-8', 'base64']), data: z.string() })
      .nullable()
      .meta({ description: 'The raw bytes, as text if they are UTF-8. Null after pruning or erasure.' }),
    events: z.array(event),
    created_at,
  })
  .meta({ id: 'DeliveryDetail' })

export type DeliveryDetailResource = z.infer<typeof deliveryDetail>

const as_new = z.boolean().default(false).meta({
  description: 'Gives events new ids, so that consumers process them as new events. By default, ids stay.',
})

const reprocess = z.boolean().default(false).meta({
  description:
    'Lets consumers that record the ids of handled events handle the events again, under their ids. No effect with `as_new`.',
})

/** The two ways in which a replay reaches consumers that have handled the events. */
export const replayModes = { as_new, reprocess }

export const replayBody = z
  .strictObject({
    ...replayModes,
    destination: criteriaShape.destination.meta({
      description: 'Replays only the events of this destination.',
    }),
  })
  .meta({ id: 'ReplayDelivery' })

const republished = {
  republished: count.meta({
    description:
      'How many of these events were published before under the same id. A bus that still knows the id stores nothing.',
    examples: [0],
  }),
  handled: count.meta({
    description:
      'How many of these events a consumer has recorded as handled: it skips them, or handles them again with `reprocess`.',
    examples: [0],
  }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'The request that publishes such events again for consumers.', examples: [null] }),
}

/** The result of the replay of one delivery. */
export const replayResource = z
  .object({
    delivery_id: id,
    outcome: z.enum(['replayed', 'unchanged', 'quarantined']).meta({
      description:
        '`unchanged`: no event has to be published again, or a publication is running. `quarantined`: the provider still cannot normalize the delivery.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason for the quarantine, if it continues.', examples: [null] }),
    events: z.array(z.string()).meta({ description: 'The ids of the events that are due.' }),
    ...republished,
  })
  .meta({ id: 'Replay' })

export const bulkReplayBody = z
  .strictObject({
    ...criteriaShape,
    ...replayModes,
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Counts the matching deliveries and replays nothing.' }),
    cursor: z.string().max(2048).default('').meta({ description: '`next` of the previous response.' }),
  })
  .refine(hasCriterion, requireCriterion)
  .meta({ id: 'ReplayDeliveries', anyOf: anyCriterion })

export type BulkReplayBody = z.infer<typeof bulkReplayBody>

/** The result of the replay of the matching deliveries. */
export const bulkReplayResource = z
  .object({
    deliveries: count.meta({ description: 'The number of processed deliveries: the sum of the next four.' }),
    replayed: count,
    unchanged: count,
    quarantined: count,
    erased: count,
    events: count.meta({ description: 'How many events are due.' }),
    ...republished,
    next: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor`, with the same filter, for the rest.', examples: [null] }),
  })
  .meta({ id: 'BulkReplay' })

export type BulkReplayResource = z.infer<typeof bulkReplayResource>

/** The result of a dry run. */
export const dryRunResource = z
  .object({
    deliveries: count.meta({ description: 'The number of matching deliveries.' }),
    truncated: z.boolean().meta({
      description: 'Whether more deliveries match: the count stops at 100,000.',
      examples: [false],
    }),
  })
  .meta({ id: 'ReplayDryRun' })
