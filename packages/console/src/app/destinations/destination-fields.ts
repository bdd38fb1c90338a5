import type { components } from '../api/schema.ts'

type Schemas = components['schemas']

/** The members of a destination that an operator edits, as texts. */
export interface DestinationFields {
  readonly url: string
  readonly requests: string
  readonly order: string
  readonly kinds: string
  readonly rate: string
  readonly concurrency: string
  /** The members without a field, as JSON. */
  readonly further: string
}

type Further = Pick<Schemas['PatchDestination'], 'filter' | (typeof furtherMembers)[number]>

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

/** The members without a field, which are edited as JSON; `filter` is one of them, except for its kinds. */
const furtherMembers = [
  ...(['headers', 'allow_headers', 'query', 'timeout_seconds'] as const),
  ...(['retry', 'max_age_seconds', 'statuses'] as const),
]

export const emptyFields: DestinationFields = {
  ...{ url: '', requests: 'original', order: 'none', kinds: '', rate: '', concurrency: '', further: '' },
}

export function toFields(one: Declaration): DestinationFields {
  const { mode, sign = 'standard-webhooks', format = 'standard-webhooks' } = one
  const special = sign === 'provider' ? 'provider' : format === 'cloudevents' ? 'cloudevents' : undefined
  const { events = [], ...filter } = one.filter ?? {}
  const members = furtherMembers.filter((name) => one[name] !== undefined).map((name) => [name, one[name]])
  const further = {
    ...(Object.fromEntries(members) as Further),
    ...(Object.keys(filter).length > 0 && { filter }),
  }
  return {
    ...{ url: one.url, requests: special ?? mode, order: one.order ?? 'none', kinds: events.join('\n') },
    rate: one.rate_per_second === undefined ? '' : String(one.rate_per_second),
    concurrency: one.concurrency === undefined ? '' : String(one.concurrency),
    further: Object.keys(further).length === 0 ? '' : JSON.stringify(further, null, 2),
  }
}

/**
 * Returns a change of a destination. The API checks the values.
 *
 * @throws Error for further members that are not a JSON object
 */
export function toPatch(fields: DestinationFields): Schemas['PatchDestination'] {
  const { filter, ...further } = readFurther(fields.further)
  const events = fields.kinds
    .split('\n')
    .map((kind) => kind.trim())
    .filter(Boolean)
  const chosen = { ...filter, ...(events.length > 0 && { events }) }
  const { members } = requests.find(({ id }) => id === fields.requests) ?? requests[0]
  return {
    ...Object.fromEntries(furtherMembers.map((name) => [name, null])),
    ...{ ...further, url: fields.url.trim(), sign: null, format: null, ...members },
    order: orders.find(({ id }) => id === fields.order)?.id ?? null,
    filter: Object.keys(chosen).length > 0 ? chosen : null,
    rate_per_second: fields.rate.trim() === '' ? null : Number(fields.rate),
    concurrency: fields.concurrency.trim() === '' ? null : Number(fields.concurrency),
  }
}

/** @throws Error for text that is not a JSON object */
function readFurther(text: string): Further {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error('The further members are not a JSON object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error('The further members are not valid JSON', { cause: error })
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
