import type { components } from '../api/schema.ts'

type Schemas = components['schemas']

/** The fields of a destination that an operator edits, as texts. */
export interface DestinationFields {
  readonly url: string
  readonly requests: string
  readonly order: string
  readonly kinds: string
  readonly rate: string
  readonly concurrency: string
}

type Declaration = Schemas['ManagedDestination']

/** The body of a request about a destination, with the members of the API. */
export const requests = [
  { id: 'original', label: 'Deliveries as received', members: { mode: 'original' } },
  {
    id: 'provider',
    label: 'Deliveries as received, signed as the service signs',
    members: { mode: 'original', sign: 'provider' },
  },
  { id: 'event', label: 'Events as JSON', members: { mode: 'event' } },
  { id: 'cloudevents', label: 'Events as CloudEvents', members: { mode: 'event', format: 'cloudevents' } },
] as const

export const orders = [
  { id: 'none', label: 'None' },
  { id: 'subject', label: 'By subject' },
  { id: 'endpoint', label: 'By endpoint' },
] as const

export const emptyFields: DestinationFields = {
  ...{ url: '', requests: 'original', order: 'none', kinds: '', rate: '', concurrency: '' },
}

export function toFields(one: Declaration): DestinationFields {
  const { mode, sign = 'standard-webhooks', format = 'standard-webhooks' } = one
  const special = sign === 'provider' ? 'provider' : format === 'cloudevents' ? 'cloudevents' : undefined
  return {
    ...{ url: one.url, requests: special ?? mode, order: one.order ?? 'none' },
    kinds: (one.filter?.events ?? []).join('\n'),
    rate: one.rate_per_second === undefined ? '' : String(one.rate_per_second),
    concurrency: one.concurrency === undefined ? '' : String(one.concurrency),
  }
}

/** Returns a change of a destination. It keeps the other members of the filter. */
export function toPatch(
  fields: DestinationFields,
  filter: Declaration['filter'] = {},
): Schemas['PatchDestination'] {
  const { provider, endpoint, data } = filter
  const events = fields.kinds
    .split('\n')
    .map((kind) => kind.trim())
    .filter(Boolean)
  const chosen = {
    ...(provider && { provider }),
    ...(endpoint && { endpoint }),
    ...(data && { data }),
    ...(events.length > 0 && { events }),
  }
  const { members } = requests.find(({ id }) => id === fields.requests) ?? requests[0]
  return {
    ...{ url: fields.url.trim(), sign: null, format: null, ...members },
    order: orders.find(({ id }) => id === fields.order)?.id ?? null,
    filter: Object.keys(chosen).length > 0 ? chosen : null,
    rate_per_second: fields.rate.trim() === '' ? null : Number(fields.rate),
    concurrency: fields.concurrency.trim() === '' ? null : Number(fields.concurrency),
  }
}

/** Returns a new destination. */
export function toDeclaration(
  name: string,
  fields: DestinationFields,
  secret: string,
): Schemas['CreateDestination'] {
  const given = Object.entries(toPatch(fields)).filter(([, value]) => value !== null)
  return {
    ...(Object.fromEntries(given) as Omit<Schemas['CreateDestination'], 'name'>),
    ...{ name: name.trim(), ...(secret !== '' && { secret }) },
  }
}
