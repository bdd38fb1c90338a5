import { z } from 'zod'
import { id, text, time } from '../resources/fields.ts'

export const deliveryStatuses = ['pending', 'queued', 'published', 'quarantined', 'dead'] as const
const status = z.enum(deliveryStatuses)
const count = z
  .int()
  .nonnegative()
  .meta({ examples: [1] })
const provider = z.string().meta({ examples: ['codehost'] })

const summary = {
  id,
  provider,
  status,
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it is quarantined.', examples: [null] }),
  reason_detail: z
    .string()
    .nullable()
    .meta({
      description:
        'Where a quarantined delivery does not fit the schema: the path and the code of each issue, without values.',
      examples: [null],
    }),
  body_state: z.enum(['stored', 'pruned', 'erased']),
  body_bytes: count.meta({ description: 'The length of the body when it came.', examples: [19_710] }),
}
const created_at = time.meta({ description: 'When it was received.' })

/** A delivery, as a list shows it. */
export const deliveryResource = z
  .object({
    ...summary,
    event_counts: z
      .object({ pending: count, queued: count, published: count, dead: count })
      .meta({ description: 'How many of its own events are how far.' }),
    created_at,
  })
  .meta({ id: 'Delivery' })

export type DeliveryResource = z.infer<typeof deliveryResource>

const attempts = {
  attempts: count.meta({
    description: 'Since it was first due, or was made due again; with the one that succeeded.',
  }),
  due_at: time.nullable(),
  failures: z
    .array(z.object({ at: time, error: z.string().meta({ examples: ['TimeoutError'] }) }))
    .meta({ description: 'The newest 20 failed attempts, oldest first.' }),
}

const notification = z.object({ state: z.enum(['waiting', 'pending', 'sent', 'dead']), ...attempts })

const event = z
  .object({
    id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
    name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
    subject: z.string().meta({ examples: ['octo-org/octo-repo/actions/runs/289782451'] }),
    route: z.enum(['direct', 'queue']),
    state: z.enum(['pending', 'queued', 'published', 'dead']),
    ...attempts,
    lease_ends_at: time.nullable().meta({ description: 'Until when a process holds it.' }),
    occurred_at: time,
    published_at: time.nullable(),
    duplicate: z.boolean().meta({
      description:
        'Whether the bus knew the id at the last publication, and stored nothing. A replay with `as_new` publishes the event under a fresh id.',
      examples: [false],
    }),
    notification: notification.nullable(),
  })
  .meta({ id: 'DeliveryEvent' })

/** A delivery with everything that is kept of it. */
export const deliveryDetail = z
  .object({
    ...summary,
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'By lower-case name; secrets and signatures are redacted.' }),
    body: z
      .object({ encoding: z.enum(['utf-8', 'base64']), data: z.string() })
      .nullable()
      .meta({ description: 'The raw bytes: as text where they are UTF-8. Null once pruned or erased.' }),
    events: z.array(event),
    created_at,
  })
  .meta({ id: 'DeliveryDetail' })

export type DeliveryDetailResource = z.infer<typeof deliveryDetail>

const as_new = z.boolean().default(false).meta({
  description: 'Gives events fresh ids, so that consumers take them for new ones. By default ids stay.',
})

export const replayBody = z.strictObject({ as_new }).meta({ id: 'ReplayDelivery' })

const republished = {
  republished: count.meta({
    description:
      'How many of these events were published before under the same id. A bus that still knows the id stores nothing.',
    examples: [0],
  }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'The request that publishes such events again for consumers.', examples: [null] }),
}

/** What was done with one delivery. */
export const replayResource = z
  .object({
    delivery_id: id,
    outcome: z.enum(['replayed', 'unchanged', 'quarantined']).meta({
      description:
        '`unchanged`: nothing is left to do, or it is under way. `quarantined`: still nothing can be made of it.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is still quarantined.', examples: [null] }),
    events: z.array(z.string()).meta({ description: 'The ids of the events that are due.' }),
    ...republished,
  })
  .meta({ id: 'Replay' })

const instant = z.iso.datetime({ offset: true })
const criteria = ['status', 'provider', 'received_after', 'received_before', 'all'] as const

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const bulkReplayBody = z
  .strictObject({
    status: status
      .optional()
      .meta({ description: 'Of a delivery; only its events of this state are replayed.' }),
    provider: text({ min: 1, max: 200, example: 'codehost' }).optional(),
    received_after: instant.optional().meta({ description: 'Exclusive.' }),
    received_before: instant.optional().meta({ description: 'Exclusive.' }),
    all: z
      .literal(true)
      .optional()
      .meta({ description: 'Says that every delivery is meant, where nothing else narrows it down.' }),
    as_new,
    cursor: z.string().max(2048).default('').meta({ description: '`next` of the answer before.' }),
  })
  .refine((body) => criteria.some((name) => body[name] !== undefined), {
    path: ['all'],
    message: 'Name a status, a provider or a time, or set all to true',
    // By default only of bodies without another problem, and all problems are told at once.
    when: ({ value }) => isObject(value),
  })
  .meta({ id: 'ReplayDeliveries', anyOf: criteria.map((name) => ({ required: [name] })) })

export type BulkReplayBody = z.infer<typeof bulkReplayBody>

/** What was done with the deliveries that match. */
export const bulkReplayResource = z
  .object({
    deliveries: count.meta({ description: 'How many were looked at, which is the sum of the next four.' }),
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
