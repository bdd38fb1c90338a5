import { listFilter } from '@sallyport/rest'
import type { DeliveryFilter } from '@sallyport/webhooks'
import { z } from 'zod'
import { textField } from '@sallyport/internal/resource-fields'
import { withoutContent } from '@sallyport/internal/without-content'

export const deliveryStatuses = ['pending', 'queued', 'published', 'quarantined', 'dead'] as const
const outcomes = ['accepted', 'quarantined'] as const

const descriptions = {
  outcome: '`quarantined`: in quarantine. `accepted`: all other deliveries.',
  reason: 'The code of the reason for the quarantine.',
  id: 'The id of the delivery.',
  eventId: 'The id of an event of the delivery, also the id before a replay as new.',
  kind: 'The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix.',
  subject: 'The subject of an event.',
  value:
    'An id of the service, such as X-GitHub-Delivery, a request id, or a value at a search path, exactly.',
  text: 'The start of the subject of an event, the id of a delivery or of an event, or a value as in `value`.',
  minAttempts: 'The least attempts to publish an event, including a successful attempt.',
  error: 'The exact last error of an event that is not published.',
  destination: 'The destination of an event; only the events of this destination are selected.',
} as const

const lengths = {
  reason: 200,
  id: 200,
  eventId: 1000,
  kind: 1000,
  subject: 1000,
  value: 200,
  text: 1000,
  error: 2000,
  destination: 64,
} as const
const maxAttempts = 1000

const createTextFilter = (name: keyof typeof lengths) =>
  listFilter.text({ maxLength: lengths[name], description: descriptions[name] })

/** The filters of a list of deliveries by query parameter. */
export const deliveryFilters = {
  status: listFilter.oneOf(deliveryStatuses),
  outcome: listFilter.oneOf(outcomes, { description: descriptions.outcome }),
  reason: createTextFilter('reason'),
  provider: listFilter.text(),
  endpoint: listFilter.text(),
  id: createTextFilter('id'),
  eventId: createTextFilter('eventId'),
  kind: createTextFilter('kind'),
  subject: createTextFilter('subject'),
  value: createTextFilter('value'),
  text: createTextFilter('text'),
  minAttempts: listFilter.integer({
    minimum: 1,
    maximum: maxAttempts,
    description: descriptions.minAttempts,
  }),
  error: createTextFilter('error'),
  destination: createTextFilter('destination'),
  receivedAfter: listFilter.after('created_at'),
  receivedBefore: listFilter.before('created_at'),
}

/** The values of the filters of a list. */
export interface ListCriteria extends Omit<DeliveryFilter, 'receivedAfter' | 'receivedBefore'> {
  readonly receivedAfter?: string
  readonly receivedBefore?: string
}

/** Converts the values of the filters of a list. */
export function toListFilter({ receivedAfter, receivedBefore, ...filters }: ListCriteria): DeliveryFilter {
  return {
    ...filters,
    ...(receivedAfter !== undefined && { receivedAfter: Date.parse(receivedAfter) }),
    ...(receivedBefore !== undefined && { receivedBefore: Date.parse(receivedBefore) }),
  }
}

const instant = z.iso.datetime({ offset: true })
const createText = (name: keyof typeof lengths, example: string) =>
  textField({ min: 1, max: lengths[name], example }).optional().meta({ description: descriptions[name] })

/** The criteria that select deliveries in a request body. */
export const criteriaShape = {
  status: z
    .enum(deliveryStatuses)
    .optional()
    .meta({ description: 'The status of deliveries; only their events of this state are selected.' }),
  outcome: z.enum(outcomes).optional().meta({ description: descriptions.outcome }),
  reason: createText('reason', 'NORMALIZER_FAILED'),
  provider: textField({ min: 1, max: 200, example: 'codehost' }).optional(),
  endpoint: textField({ min: 1, max: 64, example: '5Xo2aPq0VnTr8hZkWm3uYd' }).optional(),
  id: createText('id', '01890a5d-ac96-774b-bcce-b302099a8057'),
  event_id: createText('eventId', 'codehost:workflow_run.completed:289782451:1'),
  kind: createText('kind', 'workflow_run.completed'),
  subject: createText('subject', 'octo-org/octo-repo/actions/runs/289782451'),
  value: createText('value', '72d3162e-cc78-11e3-81ab-4c9367dc0958'),
  text: createText('text', 'octo-org/octo-repo'),
  min_attempts: z
    .int()
    .min(1)
    .max(maxAttempts)
    .optional()
    .meta({ description: descriptions.minAttempts, examples: [5] }),
  error: createText('error', 'TimeoutError'),
  destination: createText('destination', 'billing'),
  received_after: instant.optional().meta({ description: 'Exclusive.' }),
  received_before: instant.optional().meta({ description: 'Exclusive.' }),
  all: z
    .literal(true)
    .optional()
    .meta({ description: 'Selects every delivery. Required without another criterion.' }),
}

export type Criteria = z.infer<z.ZodObject<typeof criteriaShape>>

const names = Object.keys(criteriaShape) as (keyof Criteria)[]

/** The JSON Schema of a body with at least one criterion. */
export const anyCriterion = names.map((name) => ({ required: [name] }))

/** The refinement of a body with at least one criterion. */
export const requireCriterion = {
  path: ['all'],
  message: 'Name a criterion, such as a status, a provider or a time, or set all to true',
  // Also for bodies with other problems, so that all are reported together.
  when: ({ value }: { readonly value: unknown }) => isObject(value),
}

/** Describes criteria in the audit, which must not keep what an erasure erases, such as a subject. */
export const describeCriteria = <Given extends Criteria>(given: Given) => ({
  ...withoutContent(given),
  criteria: names.filter((name) => given[name] !== undefined),
})

export const hasCriterion = (body: Criteria): boolean => names.some((name) => body[name] !== undefined)

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts the criteria of a request body. */
export function toFilter(criteria: Criteria): DeliveryFilter {
  const { status, outcome, reason, provider, endpoint, id, event_id, kind, subject } = criteria
  const { value, text: start, min_attempts, error, destination, received_after, received_before } = criteria
  return {
    ...(status !== undefined && { status }),
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason }),
    ...(provider !== undefined && { provider }),
    ...(endpoint !== undefined && { endpoint }),
    ...(id !== undefined && { id }),
    ...(event_id !== undefined && { eventId: event_id }),
    ...(kind !== undefined && { kind }),
    ...(subject !== undefined && { subject }),
    ...(value !== undefined && { value }),
    ...(start !== undefined && { text: start }),
    ...(min_attempts !== undefined && { minAttempts: min_attempts }),
    ...(error !== undefined && { error }),
    ...(destination !== undefined && { destination }),
    ...(received_after !== undefined && { receivedAfter: Date.parse(received_after) }),
    ...(received_before !== undefined && { receivedBefore: Date.parse(received_before) }),
  }
}
