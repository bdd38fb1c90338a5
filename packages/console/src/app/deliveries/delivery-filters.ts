/** A filter of the list of deliveries, named like the query parameter of the API. */
export interface DeliveryFilter {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly choices?: readonly string[]
  readonly isTime?: boolean
  /** Values that the field offers. */
  readonly suggestions?: readonly string[] | undefined
  /** Offers the values of recent deliveries with their numbers. */
  readonly picks?: 'provider' | 'kind' | 'endpoint'
}

/** The filters that several lists have. */
export const providerFilter: DeliveryFilter = {
  ...{ name: 'provider', label: 'Provider', placeholder: 'github', picks: 'provider' },
}
export const endpointFilter: DeliveryFilter = {
  ...{ name: 'endpoint', label: 'Endpoint', placeholder: 'Id of an endpoint', picks: 'endpoint' },
}

/** All filters. A filter that the API does not accept is absent. */
export const deliveryFilters: readonly DeliveryFilter[] = [
  { name: 'text', label: 'Search', placeholder: 'Subject, id or value' },
  { name: 'status', label: 'Status', choices: ['pending', 'queued', 'published', 'quarantined', 'dead'] },
  providerFilter,
  { name: 'kind', label: 'Kind', placeholder: 'push or issues.*', picks: 'kind' },
  endpointFilter,
  { name: 'destination', label: 'Destination', placeholder: 'Name of a destination' },
  { name: 'receivedAfter', label: 'Received after', isTime: true },
  { name: 'receivedBefore', label: 'Received before', isTime: true },
  { name: 'subject', label: 'Subject', placeholder: 'Exact subject' },
  { name: 'value', label: 'Value', placeholder: 'Exact id of the service, or value' },
  { name: 'eventId', label: 'Event id', placeholder: 'Exact id' },
  { name: 'id', label: 'Delivery id' },
  { name: 'error', label: 'Last error', placeholder: 'TimeoutError' },
  { name: 'minAttempts', label: 'At least attempts', placeholder: '3' },
  { name: 'outcome', label: 'Outcome', choices: ['accepted', 'quarantined'] },
  { name: 'reason', label: 'Reason of the quarantine' },
]

export const deliveryFilterNames: readonly string[] = deliveryFilters.map(({ name }) => name)

/** Converts the value of a `datetime-local` field, in the time zone of the browser, to a time of the API. */
export function fromLocalTime(value: string): string {
  const date = new Date(value)
  return value === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** Converts a time of the API to the value of a `datetime-local` field. */
export function toLocalTime(value: string | undefined): string {
  if (value === undefined) return ''
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
