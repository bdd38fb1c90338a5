import { codedResponse, isSallyportError } from '@sallyport/errors'
import type { GatewayEndpoint } from '../ports/ports.ts'
import type { AnyProvider, HandshakeAnswer } from '../provider/provider.ts'
import type { Fault, Normalized, Recorded, Verified } from './accept.ts'
import { listMethods } from './methods.ts'
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

/** Creates the observation of a request from the results of its steps, and from facts that no step determines. */
export function describeRequest(
  steps: Steps,
  facts: Pick<Observation, 'provider' | 'status' | 'requestId' | 'address' | 'durationMs'>,
): Observation {
  const { endpoint, challenge, refusal, verified, normalized, recorded, failure } = steps
  const outcome = recorded?.outcome ?? (challenge ? 'handshake' : 'refused')
  const fault = recorded?.fault ?? normalized?.fault ?? refusal
  const found: { -readonly [Key in keyof Observation]?: Observation[Key] } = { outcome }
  if (endpoint) found.endpoint = endpoint.id
  // An ignored delivery is not recorded.
  if (verified && outcome !== 'ignored') found.deliveryId = verified.id
  if (normalized?.narrowed) found.narrowed = normalized.narrowed
  if (normalized?.kind !== undefined) found.kind = normalized.kind
  if (fault) found.reason = fault.reason
  if (fault?.error) found.error = fault.error
  if (failure) {
    const { error } = failure
    const { status, body } = codedResponse(error)
    found.code = body.error.code
    if (status >= 500) found.error = isSallyportError(error) ? (error.cause ?? error) : error
  }
  return { ...found, outcome, ...facts }
}
