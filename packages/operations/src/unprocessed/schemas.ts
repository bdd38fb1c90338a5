import type { UnprocessedDelivery, UnprocessedRecord } from '@sallyport/webhooks/unprocessed'
import { z } from 'zod'
import { toText } from '../deliveries/show.ts'
import { endpointNameShape, nameEndpoint, type EndpointNames } from '../endpoints/names.ts'
import { id, time } from '@sallyport/internal/resource-fields'

export const unprocessedOutcomes = ['ignored', 'refused'] as const

const summary = {
  id,
  provider: z.string().meta({ examples: ['codehost'] }),
  endpoint: z
    .string()
    .nullable()
    .meta({
      description: 'The id of the endpoint; null for the address without an endpoint.',
      examples: [null],
    }),
  ...endpointNameShape,
  outcome: z.enum(unprocessedOutcomes),
  kind: z
    .string()
    .nullable()
    .meta({
      description: "The service's name for the kind of an ignored delivery, if the provider knows it.",
      examples: ['star.created'],
    }),
  reason: z
    .string()
    .nullable()
    .meta({
      description:
        'Why the signature was rejected: `missing`, `malformed`, `mismatch` or `expired`. `blocked`: the address had failed too often, and the signature was not checked.',
      examples: [null],
    }),
  status: z.int().meta({ description: 'The HTTP status of the response.', examples: [200] }),
  body_bytes: z
    .int()
    .nonnegative()
    .meta({ description: 'The length of the received body.', examples: [812] }),
}
const created_at = time.meta({ description: 'The time of the receipt.' })

export const unprocessedDiagnosis = z
  .object({
    verified: z
      .boolean()
      .meta({ description: 'Whether the signature is valid with the current secrets.', examples: [false] }),
    mistakes: z
      .array(
        z.object({
          code: z.string().meta({ examples: ['SECRET_WHITESPACE'] }),
          message: z.string().meta({ examples: ['The secret has white space at an end: remove it.'] }),
        }),
      )
      .meta({ description: 'What explains the refusal, without secrets.' }),
  })
  .meta({ id: 'UnprocessedDiagnosis' })

/** A kept delivery in a list. */
export const unprocessedResource = z.object({ ...summary, created_at }).meta({ id: 'UnprocessedDelivery' })

export type UnprocessedResource = z.infer<typeof unprocessedResource>

/** A kept delivery with its content. */
export const unprocessedDetail = z
  .object({
    ...summary,
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'By lower-case name; secrets and signatures are redacted.' }),
    body: z.object({ encoding: z.enum(['utf-8', 'base64']), data: z.string() }).meta({
      description:
        'The bytes, as text if they are UTF-8. The body of a refused delivery may come from anybody. A long body is cut.',
    }),
    body_state: z
      .enum(['stored', 'cut'])
      .meta({ description: '`cut`: only the first bytes were kept, and the delivery cannot be replayed.' }),
    created_at,
  })
  .meta({ id: 'UnprocessedDeliveryDetail' })

export type UnprocessedDetail = z.infer<typeof unprocessedDetail>

/** The result of the replay of a kept delivery. */
export const unprocessedReplayResource = z
  .object({
    delivery_id: id.nullable().meta({
      description: 'The id of the delivery that is recorded now; null if the outcome is another.',
    }),
    outcome: z.enum(['accepted', 'duplicate', 'quarantined', 'ignored', 'refused']).meta({
      description:
        'A delivery that is accepted, a duplicate or quarantined leaves the list. `ignored`: its provider does not handle the kind. `refused`: its signature is not valid.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'The kind of an ignored delivery, the reason of a failed verification or a quarantine, or an error code.',
        examples: [null],
      }),
  })
  .meta({ id: 'UnprocessedReplay' })

/** A kept delivery in a list. */
export function toUnprocessed(
  { receivedAt, ...delivery }: UnprocessedDelivery,
  names: EndpointNames,
): UnprocessedResource {
  return {
    id: delivery.id,
    provider: delivery.provider,
    endpoint: delivery.endpoint ?? null,
    ...nameEndpoint(names, delivery.endpoint),
    outcome: delivery.outcome,
    kind: delivery.kind ?? null,
    reason: delivery.reason ?? null,
    status: delivery.status,
    body_bytes: delivery.bodyBytes,
    created_at: new Date(receivedAt).toISOString(),
  }
}

/** A kept delivery with its content. */
export function toUnprocessedDetail(record: UnprocessedRecord, names: EndpointNames): UnprocessedDetail {
  const { created_at, ...delivery } = toUnprocessed(record, names)
  return {
    ...delivery,
    headers: record.headers,
    body: toText(record.body),
    body_state: record.body.length < record.bodyBytes ? 'cut' : 'stored',
    created_at,
  }
}
