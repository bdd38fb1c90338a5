import type { DeliveryFilter } from '@sallyport/webhooks'
import type { ReplayJob } from '@sallyport/webhooks/replay-jobs'
import { z } from 'zod'
import { anyCriterion, criteriaShape, hasCriterion, requireCriterion } from '../deliveries/criteria.ts'
import { replayModes } from '../deliveries/schemas.ts'
import { id, time } from '@sallyport/internal/resource-fields'

export const replayJobBody = z
  .strictObject({ ...criteriaShape, ...replayModes })
  .refine(hasCriterion, requireCriterion)
  .meta({ id: 'CreateReplayJob', anyOf: anyCriterion })

const count = z
  .int()
  .min(0)
  .meta({ examples: [1] })

export const replayJobResource = z
  .object({
    id,
    status: z.enum(['running', 'done', 'canceled', 'failed']),
    source: z.enum(['deliveries', 'unprocessed']).meta({
      description:
        '`unprocessed`: the job processes ignored and refused deliveries again. `replayed` counts those that are recorded now, and `unchanged` those that stay ignored or refused.',
      examples: ['deliveries'],
    }),
    filter: z.record(z.string(), z.unknown()).meta({
      description:
        'The criteria of the request. Deliveries that are received later are not part of the job. A job that ended has no criteria that quote content: `subject`, `value`, `text` and `error`.',
      examples: [{ status: 'dead', provider: 'codehost' }],
    }),
    as_new: z.boolean(),
    reprocess: z.boolean(),
    total: count.meta({
      description: 'The number of matching deliveries at the creation, up to 1,000,000.',
      examples: [20_000],
    }),
    processed: count.meta({ description: 'The number of processed deliveries: the sum of the next four.' }),
    replayed: count,
    unchanged: count,
    quarantined: count,
    erased: count,
    events: count.meta({ description: 'How many events became due.' }),
    handled: count.meta({
      description:
        'How many of these events a consumer has recorded as handled: it skips them, or handles them again with `reprocess`.',
      examples: [0],
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the job failed.', examples: [null] }),
    created_by: z
      .string()
      .nullable()
      .meta({
        description: 'The name of the operator, or the id without a name.',
        examples: ['ann@example.com'],
      }),
    created_at: time,
    updated_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'ReplayJob' })

export type ReplayJobResource = z.infer<typeof replayJobResource>

export function toReplayJob({ filter, unprocessed, ...job }: ReplayJob): ReplayJobResource {
  return {
    id: job.id,
    status: job.status,
    source: unprocessed ? 'unprocessed' : 'deliveries',
    filter: toCriteria(unprocessed ?? filter),
    as_new: job.asNew,
    reprocess: job.reprocess,
    total: job.total,
    processed: job.processed,
    replayed: job.replayed,
    unchanged: job.unchanged,
    quarantined: job.quarantined,
    erased: job.erased,
    events: job.events,
    handled: job.handled,
    error: job.error ?? null,
    created_by: job.createdBy ?? null,
    created_at: formatTime(job.createdAt),
    updated_at: formatTime(job.updatedAt),
    finished_at: job.finishedAt === undefined ? null : formatTime(job.finishedAt),
  }
}

/** Converts a filter of the inbox to the criteria of a request. */
function toCriteria({
  eventId,
  minAttempts,
  receivedAfter,
  receivedBefore,
  ...filter
}: Omit<DeliveryFilter, 'outcome'> & { readonly outcome?: string }): Readonly<Record<string, unknown>> {
  return {
    ...filter,
    ...(eventId !== undefined && { event_id: eventId }),
    ...(minAttempts !== undefined && { min_attempts: minAttempts }),
    ...(receivedAfter !== undefined && { received_after: formatTime(receivedAfter) }),
    ...(receivedBefore !== undefined && { received_before: formatTime(receivedBefore) }),
  }
}

const formatTime = (milliseconds: number) => new Date(milliseconds).toISOString()
