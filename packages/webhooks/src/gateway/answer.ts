import { codedResponse, isSallyportError } from '@sallyport/errors'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { AnyProvider, HandshakeAnswer } from '../provider/provider.ts'
import type { Fault, Normalized, Recorded, Verified } from './accept.ts'
import { listMethods } from './admit.ts'
import type { GatewayResponse, Observation } from './gateway-contract.ts'

const jsonType = 'application/json; charset=utf-8'

/** Creates the response to a verified delivery. */
export function respond(
  { answer }: Pick<AnyProvider, 'answer'>,
  { outcome, events }: Recorded,
): GatewayResponse {
  if (answer) {
    const { status, body = '', contentType = 'text/plain; charset=utf-8' } = answer
    const headers = body === '' ? {} : { 'content-type': contentType }
    return { status, headers: { ...headers, 'sallyport-status': outcome }, body }
  }
  const body = JSON.stringify({ data: { status: outcome, events } })
  return { status: 200, headers: { 'content-type': jsonType }, body }
}

/** Creates the response to a handshake. */
export function respondToChallenge(challenge: HandshakeAnswer): GatewayResponse {
  const { status = 200, contentType, headers, body } = challenge
  const own = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  }
  return { status, headers: { ...headers, ...own }, body }
}

/** Creates the response to a request for the methods of a provider. */
export function respondWithMethods(provider: AnyProvider): GatewayResponse {
  return { status: 204, headers: { allow: listMethods(provider).join(', ') }, body: '' }
}

/** Creates the error envelope. */
export function respondWithError(error: unknown): GatewayResponse {
  const { status, headers, body } = codedResponse(error)
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}

/** The results of the steps of a request. */
export interface Steps {
  endpoint?: GatewayEndpoint
  challenge?: HandshakeAnswer
  /** Why the signature is not valid. */
  refusal?: Fault
  verified?: Verified
  normalized?: Normalized
  recorded?: Recorded
  /** The error that ended the steps. */
  failure?: { readonly error: unknown }
}

/** The facts of an observation that the steps determine. */
type Facts = Pick<
  Observation,
  'endpoint' | 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId' | 'kind' | 'narrowed'
>

/** Describes a request by the results of its steps. */
export function describeSteps(steps: Steps): Facts {
  const { endpoint, challenge, refusal, verified, normalized, recorded, failure } = steps
  const outcome = recorded?.outcome ?? (challenge ? 'handshake' : 'refused')
  const fault = recorded?.fault ?? normalized?.fault ?? refusal
  const facts: { -readonly [Key in keyof Facts]: Facts[Key] } = { outcome }
  if (endpoint) facts.endpoint = endpoint.id
  // An ignored delivery is not recorded.
  if (verified && outcome !== 'ignored') facts.deliveryId = verified.id
  if (normalized?.narrowed) facts.narrowed = normalized.narrowed
  if (normalized?.kind !== undefined) facts.kind = normalized.kind
  if (fault) facts.reason = fault.reason
  if (fault?.error) facts.error = fault.error
  if (failure) {
    const { error } = failure
    const { status, body } = codedResponse(error)
    facts.code = body.error.code
    if (status >= 500) facts.error = isSallyportError(error) ? (error.cause ?? error) : error
  }
  return facts
}
