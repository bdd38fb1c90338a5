import type { DeliveryHeaders } from '@sallyport/webhooks'

/** The supported event names of the service. */
type EventName = 'workflow_run' | 'package' | 'registry_package'

/** A payload and the name of its event. */
export interface Recognized {
  readonly event: EventName
  readonly action: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Determines the event of a payload from the signed payload, and checks the unsigned header against it.
 *
 * The signature does not cover the header, so the header can only restrict: an unsupported name makes the delivery
 * ignored. Without the header, or with an empty or repeated header, the payload alone decides.
 *
 * @throws TypeError when the header names a supported event and the payload belongs to another event. `cause` has an issue
 *   with the path and the code of the field, like the issues of a schema.
 */
export function recognize(headers: DeliveryHeaders, payload: unknown): Recognized | undefined {
  const header = headers.get('x-github-event')
  const named = header !== null && eventName.test(header) ? header : null
  if (named !== null && !isHandled(named)) return undefined
  const found = isObject(payload)
    ? { event: getEvent(payload), action: payload['action'], payload }
    : undefined
  if (named !== null && named !== found?.event) {
    const message = `The header x-github-event is "${named}", but the payload belongs to another event`
    throw new TypeError(message, { cause: [findContradiction(named, payload)] })
  }
  return found?.event === undefined ? undefined : { ...found, event: found.event }
}

/**
 * Determines the event of a payload from its entities.
 *
 * Payloads of deployments, deployment statuses, deployment reviews and checks contain their workflow run, too.
 */
function getEvent(payload: Readonly<Record<string, unknown>>): EventName | undefined {
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

/** Finds the field because of which a payload does not belong to the named event. */
function findContradiction(named: EventName, payload: unknown) {
  const code = 'invalid_type'
  if (!isObject(payload)) return { path: [], code }
  if (!isObject(payload[named])) return { path: [named], code }
  const foreign = foreignEntities.find((name) => name in payload)
  const earlier = isObject(payload['workflow_run']) ? 'workflow_run' : 'package'
  return { path: [named === 'workflow_run' ? foreign : earlier], code: 'unrecognized_keys' }
}

const eventName = /^[a-z][a-z0-9_]*$/

const isHandled = (name: string): name is EventName =>
  name === 'workflow_run' || name === 'package' || name === 'registry_package'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
