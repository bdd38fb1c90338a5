import type { DeliveryHeaders } from '@sallyport/webhooks'

/** The service's names of the events that are handled here. */
type EventName = 'workflow_run' | 'package' | 'registry_package'

/** A payload by the name of its event. */
export interface Recognized {
  readonly event: EventName
  readonly action: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Recognizes a payload by what is signed, and holds what is not signed against it.
 *
 * The name of the event comes in a header that the signature does not cover, so it can only take away: a name that is
 * not handled makes the delivery one that nobody asked for. Without the header the payload decides alone, and so it does
 * where the header names no event: empty, or doubled on the way.
 *
 * @throws Error when the header names an event that is handled and the payload is of another
 */
export function recognize(headers: DeliveryHeaders, payload: unknown): Recognized | undefined {
  const header = headers.get('x-github-event')
  const named = header !== null && eventName.test(header) ? header : null
  if (named !== null && !isHandled(named)) return undefined
  const found = isObject(payload)
    ? { event: eventOf(payload), action: payload['action'], payload }
    : undefined
  if (named !== null && named !== found?.event) {
    throw new Error(`The header x-github-event says "${named}", and the payload is not of that event`)
  }
  return found?.event === undefined ? undefined : { ...found, event: found.event }
}

/**
 * The event of a payload, by the entities in it.
 *
 * Deployments, their statuses and reviews, and checks name the workflow run that they belong to: theirs is the entity
 * that stands beside it.
 */
function eventOf(payload: Readonly<Record<string, unknown>>): EventName | undefined {
  if (isObject(payload['workflow_run'])) {
    return foreignEntities.some((name) => name in payload) ? undefined : 'workflow_run'
  }
  if (isObject(payload['package'])) return 'package'
  return isObject(payload['registry_package']) ? 'registry_package' : undefined
}

const foreignEntities = [
  'deployment',
  'deployment_status',
  'deployment_review',
  'deployment_callback_url',
  'check_run',
  'check_suite',
  'workflow_job',
  'workflow_job_run',
  'workflow_job_runs',
]

const eventName = /^[a-z][a-z0-9_]*$/

const isHandled = (name: string): name is EventName =>
  name === 'workflow_run' || name === 'package' || name === 'registry_package'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
